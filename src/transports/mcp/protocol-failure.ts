/** Failures outside of tools as JSON-RPC errors: a code and a message, without internal details. */

import { toProblem } from '../../platform/core/errors/to-problem.ts';
import type { McpCall } from '../../platform/core/ports/mcp-endpoint.ts';
import type { McpServices } from './services.ts';
import { writeProblem } from './tool-error.ts';

const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** The library replies with the `code`, `message` and `data` of a thrown error. */
export class ProtocolFailure extends Error {
  readonly code: number;
  readonly data: Record<string, unknown> | undefined;

  constructor(code: number, message: string, data?: Record<string, unknown>) {
    super(message);
    this.name = 'ProtocolFailure';
    this.code = code;
    this.data = data;
  }
}

export function invalidParams(message: string, data?: Record<string, unknown>): ProtocolFailure {
  return new ProtocolFailure(INVALID_PARAMS, message, data);
}

/** The failure to send for any error; details of unexpected errors go only to the log. */
export function protocolFailure<Context>(
  error: unknown,
  services: McpServices<Context>,
  { requestId }: McpCall<Context>,
  data?: Record<string, unknown>,
): ProtocolFailure {
  if (error instanceof ProtocolFailure) return error;
  const problem = toProblem(error, services);
  if (problem.status >= 500) services.log.error({ requestId, err: error }, 'request failed');
  const code = problem.status >= 500 ? INTERNAL_ERROR : INVALID_PARAMS;
  return new ProtocolFailure(code, writeProblem(problem, requestId), data);
}
