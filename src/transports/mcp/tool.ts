/** A tool: one thing that an agent can do, as one value; the shapes of its operations say what it takes. */
import type { CallToolResult, Tool as ListedTool, Server, ServerContext } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { OperationName } from '../../operation-types.ts';
import type { Actor } from '../../platform/core/actor.ts';
import type { Log } from '../../platform/core/log.ts';
import type { McpCall } from '../../platform/core/mcp-endpoint.ts';
import type { OperationSettings } from '../../platform/core/operation.ts';
import type { FieldsOf, RunOperation } from './run-operation.ts';

/** What a client may assume about a tool. Always sent: the protocol's defaults assume the worst. */
interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** Reads what the organization has. */
export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** Adds something with every call. */
export const ADDS: ToolHints = { ...READS, readOnlyHint: false, idempotentHint: false };

/**
 * A tool's answer: a value of its `output` shape, or text where it has none. Clients hand a model the structured form
 * alone where there is one, so everything a model needs stands in it.
 */
export type Reply<Output extends z.ZodObject | undefined> = Output extends z.ZodObject
  ? z.input<Output>
  : string;

/** What a tool works with in one call. */
export interface ToolContext {
  actor: Actor;
  /** Without a slash at the end. */
  baseUrl: string;
  /** How the agent's client names itself: by the protocol, and by HTTP. */
  client: { name: string | null; userAgent: string | null };
  settings: Pick<OperationSettings, 'agentVendors'>;
  log: Log;
  /** Fires when the agent has gone away, or the service stops. */
  gone: AbortSignal;
  run: RunOperation;
  fieldsOf: FieldsOf;
}

export interface ToolDefinition<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject | undefined = z.ZodObject | undefined,
> {
  name: string;
  title: string;
  /** What a model reads about it: one paragraph each. */
  description: {
    does: string;
    /** Follows “Use it ”. */
    use: string;
    returns: string;
    next: string;
  };
  /** The operations that it runs: it exists where all of them do. */
  operations: readonly [OperationName, ...OperationName[]];
  hints: ToolHints;
  /** What it takes, made of its operations' fields, so that limits are defined once. */
  input(fieldsOf: FieldsOf): Input;
  /** Undefined when it answers with text. */
  output: Output;
  run(input: z.output<Input>, context: ToolContext): Promise<Reply<Output>>;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject | undefined>(
  definition: ToolDefinition<Input, Output>,
): ToolDefinition<Input, Output> {
  return definition;
}

/** What a request brings besides the arguments. */
interface ToolRequest<Context> {
  call: McpCall<Context>;
  server: Server;
  protocol: ServerContext;
}

/** A tool as the protocol has it. */
export interface Tool<Context = never> {
  listed: ListedTool;
  call(given: Record<string, unknown>, request: ToolRequest<Context>): Promise<CallToolResult>;
}
