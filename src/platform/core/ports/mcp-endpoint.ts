/** The interface between the HTTP transport and the MCP server at `/mcp`. */
import type { Actor } from '../operations/actor.ts';
import type { Operation } from '../operations/operation.ts';

/** One authenticated HTTP request from an agent. */
export interface McpCall<Context> {
  actor: Actor;
  requestId: string;
  /** The parsed body; undefined when it is not JSON, in which case the request still has the raw body. */
  message: unknown;
  /** Fires when the agent disconnects or the service stops. */
  gone: AbortSignal;
  /** Whether the credential of this request is still valid and its user's role not lower; long waits check again. */
  stillAllowed(): Promise<boolean>;
  /**
   * Runs an operation like any other request: validates its input, commits its changes and returns only what its output
   * shape allows (for an event stream, the events as they arrive). Throws a `Problem`.
   */
  run(operation: Operation<Context>, sent: Record<string, unknown>): Promise<unknown>;
}

export interface McpEndpoint<Context> {
  handle(request: Request, call: McpCall<Context>): Promise<Response>;
  /** Ends the requests that are still running. */
  close(): Promise<void>;
}
