/** The definition of a tool: one thing that an agent can do, built on operations. */
import type { CallToolResult, Tool as ListedTool, Server, ServerContext } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { OperationName } from '../../operation-types.ts';
import type { Actor } from '../../platform/core/operations/actor.ts';
import type { VendorSettings } from '../../platform/core/operations/operation.ts';
import type { McpCall } from '../../platform/core/ports/mcp-endpoint.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import type { FieldsOf, RunOperation } from './run-operation.ts';

/** Always sent: the protocol's defaults assume the worst. */
interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** Only reads. */
export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** Every call adds something. */
export const ADDS: ToolHints = { ...READS, readOnlyHint: false, idempotentHint: false };

/**
 * A tool's reply: a value of its `output` shape, or text if it has none. Clients give a model only the structured reply
 * where there is one, so it contains everything that a model needs.
 */
export type Reply<Output extends z.ZodObject | undefined> = Output extends z.ZodObject
  ? z.input<Output>
  : string;

/** A structured reply with a text of its own, which reads better than the same as JSON. */
export class WithText<Value> {
  readonly value: Value;
  readonly text: string;

  constructor(value: Value, text: string) {
    this.value = value;
    this.text = text;
  }
}

/** Passed to a tool with each call. */
export interface ToolContext {
  actor: Actor;
  /** Without a trailing slash. */
  baseUrl: string;
  /** The name that the agent's client sends in the protocol, and its HTTP user agent. */
  client: { name: string | null; userAgent: string | null };
  settings: VendorSettings;
  log: Log;
  /** Aborts when the agent disconnects or the service stops. */
  gone: AbortSignal;
  run: RunOperation;
  fieldsOf: FieldsOf;
}

export interface ToolDefinition<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject | undefined = z.ZodObject | undefined,
> {
  name: string;
  /** Names under which it can still be called, but is not listed. */
  formerNames?: readonly string[];
  /** Called by a command of ours: not listed, because models read the whole list in every session. */
  unlisted?: true;
  title: string;
  /** The description for models, one paragraph per field. */
  description: {
    does: string;
    /** Follows “Use it ”. */
    use: string;
    returns: string;
    next: string;
  };
  /** The operations that it runs; without them, the tool does not exist. */
  operations: readonly [OperationName, ...OperationName[]];
  hints: ToolHints;
  /** Its arguments, made from the operations' fields, so that limits are defined once. */
  input(fieldsOf: FieldsOf): Input;
  /** Undefined if the reply is text. */
  output: Output;
  run(input: z.output<Input>, context: ToolContext): Promise<Reply<Output> | WithText<Reply<Output>>>;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject | undefined>(
  definition: ToolDefinition<Input, Output>,
): ToolDefinition<Input, Output> {
  return definition;
}

/** The context of a tool call. */
interface ToolRequest<Context> {
  call: McpCall<Context>;
  server: Server;
  protocol: ServerContext;
}

/** A tool in the protocol's terms. */
export interface Tool<Context = never> {
  listed: ListedTool;
  /** Names under which it can still be called, but is not listed. */
  formerNames?: readonly string[] | undefined;
  unlisted?: true | undefined;
  call(given: Record<string, unknown>, request: ToolRequest<Context>): Promise<CallToolResult>;
}
