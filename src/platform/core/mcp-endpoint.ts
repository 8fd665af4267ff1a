/** What the transport asks of the agents' door at `/mcp`, and what it hands over with each request. */
import type { Actor } from './actor.ts';
import type { Operation } from './operation.ts';

/** One HTTP request of an agent whose caller is known. */
export interface McpCall<Context> {
  actor: Actor;
  requestId: string;
  /** What was sent, already parsed; undefined when it is no JSON, and then the request has it as it came. */
  message: unknown;
  /** Fires when the agent has gone away, or the service stops. */
  gone: AbortSignal;
  /** Whether the credential of this request is still good: what waits for long asks again. */
  stillAllowed(): Promise<boolean>;
  /**
   * Runs an operation as any request does: its input is checked, what it does is written for good, and what comes back
   * is what its output shape lets out (of an event stream, the events as they come). Throws a `Problem`.
   */
  run(operation: Operation<Context>, sent: Record<string, unknown>): Promise<unknown>;
}

export interface McpEndpoint<Context> {
  handle(request: Request, call: McpCall<Context>): Promise<Response>;
  /** Ends what is still under way. */
  close(): Promise<void>;
}
