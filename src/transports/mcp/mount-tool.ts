/** Creates a tool from its definition and the available operations. */
import type { Tool as ListedTool, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { readInput } from '../../platform/core/operations/read-input.ts';
import { listSettingValues } from '../../platform/core/operations/shapes.ts';
import { CLIENT_INFO } from './client-name.ts';
import { operationsByName } from './run-operation.ts';
import type { McpServices } from './services.ts';
import { hasUntrusted, markReply } from './text/marking.ts';
import { type Tool, type ToolContext, type ToolDefinition, WithText } from './tool.ts';
import { toolError } from './tool-error.ts';

/** The tool, or undefined if one of its operations is not available. */
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
        outputSchema: jsonSchemaOf(withNotice(definition.output), 'output', services.settings),
      }),
      annotations: definition.hints,
    },
    formerNames: definition.formerNames,
    unlisted: definition.unlisted,
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
        const { text, value } = reply instanceof WithText ? reply : { text: undefined, value: reply };
        if (typeof value === 'string') return { content: [textContent(value)] };
        const marked = markReply(definition.output!, value);
        return { content: [textContent(text ?? JSON.stringify(marked))], structuredContent: marked };
      } catch (error) {
        return toolError(error, call, services);
      }
    },
  };
}

/** The shape as clients see it, after marking. */
function withNotice(output: z.ZodObject): z.ZodObject {
  return hasUntrusted(output) ? output.extend({ untrusted: z.string().optional() }) : output;
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
    simplify(jsonSchema, io);
  };
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any', override });
  return JSON.parse(JSON.stringify(schema)) as ObjectSchema;
}

/** Removes keywords that don't help a model or that some clients don't support. */
function simplify(jsonSchema: Record<string, unknown>, io: 'input' | 'output'): void {
  // Replies may gain fields: a client that validates them must accept new ones.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // Any value: every client understands `true`, but not every client an empty schema.
  if (JSON.stringify(jsonSchema.additionalProperties) === '{}') jsonSchema.additionalProperties = true;
  // Programs validate replies by this, models don't see it: their meaning is in the tool's description.
  if (io === 'output') delete jsonSchema.description;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  delete jsonSchema.propertyNames;
  // Nobody sends these wrongly by accident, and the error names them; long limits matter to models that write.
  if (io === 'input') {
    delete jsonSchema.minimum;
    if (Number(jsonSchema.maximum) >= 100_000) delete jsonSchema.maximum;
    if (Number(jsonSchema.maxLength) < 10_000) delete jsonSchema.maxLength;
    if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
    if (jsonSchema.pattern === '\\S') delete jsonSchema.pattern;
    delete jsonSchema.maxItems;
    delete jsonSchema.format;
  }
  // A nullable argument: list only the value, because some clients don't support unions. Null is accepted anyway.
  const [first, second] = Array.isArray(jsonSchema.anyOf) ? jsonSchema.anyOf : [];
  if (io === 'input' && second?.type === 'null' && typeof first?.type === 'string') {
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, first);
  }
}

/** Older protocol versions send the client's name only in `initialize`, which a stateless server does not remember. */
function clientOf({ http, mcpReq }: ServerContext): ToolContext['client'] {
  const info = (mcpReq.envelope as Record<string, { name?: unknown } | undefined> | undefined)?.[CLIENT_INFO];
  return {
    name: typeof info?.name === 'string' ? info.name : null,
    userAgent: http?.req?.headers.get('user-agent') ?? null,
  };
}
