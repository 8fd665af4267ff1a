/** Failures outside of tools, as the protocol tells them: a code, our own words, and nothing of what happened inside. */

import type { McpCall } from '../../platform/core/mcp-endpoint.ts';
import { toProblem } from '../../platform/core/to-problem.ts';
import type { McpServices } from './services.ts';
import { writeProblem } from './tool-error.ts';

const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** The library answers with the `code`, the message and the `data` of what is thrown. */
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

/** The failure to tell in place of whatever was thrown; what is unforeseen is in the log alone. */
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
