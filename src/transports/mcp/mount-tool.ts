/** Makes a tool out of its definition and the operations at hand. */
import type { Tool as ListedTool, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { readInput } from '../../platform/core/read-input.ts';
import { listSettingValues } from '../../platform/core/shapes.ts';
import { operationsByName } from './run-operation.ts';
import type { McpServices } from './services.ts';
import type { Tool, ToolContext, ToolDefinition } from './tool.ts';
import { toolError } from './tool-error.ts';

/** The tool over the operations at hand; undefined when one that it needs is not there. */
export function mountTool<Context>(
  definition: ToolDefinition,
  services: McpServices<Context>,
): Tool<Context> | undefined {
  const own = services.operations.filter(({ name }) =>
    definition.operations.some((needed) => needed === name),
  );
  const { fieldsOf, has, runnerOf } = operationsByName(own);
  if (!has(...definition.operations)) return undefined;
  const input = definition.input(fieldsOf);
  return {
    listed: {
      name: definition.name,
      title: definition.title,
      description: describe(definition.description),
      inputSchema: jsonSchemaOf(input, 'input', services.settings),
      ...(definition.output && {
        outputSchema: jsonSchemaOf(definition.output, 'output', services.settings),
      }),
      annotations: { title: definition.title, ...definition.hints },
    },
    async call(given, { call, protocol }) {
      try {
        const reply = await definition.run(readInput(input, given), {
          actor: call.actor,
          baseUrl: services.site.baseUrl,
          client: clientOf(protocol),
          settings: services.settings,
          log: services.log,
          gone: call.gone,
          run: runnerOf(call),
          fieldsOf,
        });
        return typeof reply === 'string'
          ? { content: [textContent(reply)] }
          : { content: [textContent(JSON.stringify(reply))], structuredContent: reply };
      } catch (error) {
        return toolError(error, call.requestId, services);
      }
    },
  };
}

function textContent(text: string) {
  return { type: 'text' as const, text };
}

function describe({ does, next, returns, use }: ToolDefinition['description']): string {
  return [does, `Use it ${use}`, `Returns: ${returns}`, `Next: ${next}`].join('\n\n');
}

type ObjectSchema = ListedTool['inputSchema'];

function jsonSchemaOf(
  shape: z.ZodObject,
  io: 'input' | 'output',
  settings: ToolContext['settings'],
): ObjectSchema {
  const override = ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
    listSettingValues(jsonSchema, settings);
    simplify(jsonSchema);
  };
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any', override });
  return JSON.parse(JSON.stringify(schema)) as ObjectSchema;
}

/** Leaves out what says nothing to a model, and what some clients do not know. */
function simplify(jsonSchema: Record<string, unknown>): void {
  // Replies may gain fields: a client that checks them must not refuse what is new.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // Any value: `true` says so to every client, an empty schema only to most.
  if (JSON.stringify(jsonSchema.additionalProperties) === '{}') jsonSchema.additionalProperties = true;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  delete jsonSchema.propertyNames;
  // A value or null: one type with two names, since some clients know no unions.
  const [first, second] = Array.isArray(jsonSchema.anyOf) ? jsonSchema.anyOf : [];
  if (second?.type === 'null' && typeof first?.type === 'string') {
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, first, { type: [first.type, 'null'] });
    if (Array.isArray(first.enum)) jsonSchema.enum = [...first.enum, null];
  }
}

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** The older generation of the protocol names the client only once, to a server that keeps nothing. */
function clientOf({ http, mcpReq }: ServerContext): ToolContext['client'] {
  const info = (mcpReq.envelope as Record<string, { name?: unknown } | undefined> | undefined)?.[CLIENT_INFO];
  return {
    name: typeof info?.name === 'string' ? info.name : null,
    userAgent: http?.req?.headers.get('user-agent') ?? null,
  };
}
