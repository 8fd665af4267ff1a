/** A tool: one thing that an agent may do, as one value; its operations' shapes say what it takes. */
import type { CallToolResult, Tool as ListedTool, Server, ServerContext } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Actor } from '../../platform/core/actor.ts';
import type { Log } from '../../platform/core/log.ts';
import type { McpCall } from '../../platform/core/mcp-endpoint.ts';

/** What a client may assume about a tool; always said, since the protocol's own defaults frighten. */
interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** It reads what the organization has. */
export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** It adds something, each time again. */
export const ADDS: ToolHints = { ...READS, readOnlyHint: false, idempotentHint: false };

/** A tool's answer: `structured` has the shape of its `output`, `text` is the same for reading. */
export interface Reply {
  structured: Record<string, unknown>;
  text: string;
}

/** What a tool works with in one call. */
export interface ToolContext {
  actor: Actor;
  /** Without a slash at the end. */
  baseUrl: string;
  /** How the agent's client names itself: by the protocol, and by HTTP. */
  client: { name: string | null; userAgent: string | null };
  log: Log;
  /** Fires when the agent has gone away, or the service stops. */
  gone: AbortSignal;
  /** Runs one of the tool's operations; its input is checked again there. */
  run<Value>(operation: string, input: Record<string, unknown>): Promise<Value>;
  /** The fields that an operation takes. */
  fieldsOf: FieldsOf;
}

export type FieldsOf = (operation: string) => Record<string, z.ZodType>;

export interface ToolDefinition<Arguments> {
  name: string;
  title: string;
  /** The names of the operations that it runs: it exists where all of them do. */
  operations: readonly [string, ...string[]];
  hints: ToolHints;
  /** What it takes, made of its operations' fields, so that limits are defined once. */
  input(fieldsOf: FieldsOf): z.ZodObject;
  output: z.ZodObject;
  run(input: Arguments, context: ToolContext): Promise<Reply>;
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
