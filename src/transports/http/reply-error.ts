/** The only place that turns errors into problem documents (RFC 9457). Unexpected errors reveal no internals. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAbort, PROBLEMS, Problem } from '../../platform/core/errors/errors.ts';
import { errorCode } from '../../platform/core/errors/start-failure.ts';
import { toProblem } from '../../platform/core/errors/to-problem.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import { NoTurn } from '../../platform/core/work/fair-queue.ts';
import type { RefusalLog } from './refusal-log.ts';
import { unsupportedMediaType } from './request-body.ts';

export interface ErrorRules {
  log: Log;
  refusals: RefusalLog;
  site: { baseUrl: string };
  isOutage(error: unknown): boolean;
}

/** Used in logs and metrics by nginx's convention; never sent. */
const CLIENT_CLOSED_REQUEST = 499;

export function replyError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  rules: ErrorRules,
): void {
  // The client disconnected, and the work was aborted as intended.
  if (isAbort(error) && reply.raw.destroyed) {
    rules.log.debug({ requestId: request.id }, 'the client disconnected before the reply');
    reply.code(CLIENT_CLOSED_REQUEST).send();
    return;
  }
  const problem =
    errorCode(error) === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
      ? unsupportedMediaType(request.headers['content-type'] ?? '')
      : toProblem(error, rules);
  if (isOwnRefusal(error))
    rules.refusals.add(
      {
        status: error.status,
        detail: error.message,
        operation: request.routeOptions.config.operation,
        sender: request.sender,
        address: request.ip,
      },
      request.id,
    );
  else if (problem.status >= 500) rules.log.error({ requestId: request.id, err: error }, 'request failed');
  if (problem.status === 401) problem.headers['www-authenticate'] ??= 'Session realm="countersign"';
  reply
    .code(problem.status)
    .headers({ ...problem.headers, 'cache-control': 'no-store' })
    .type('application/problem+json')
    .send(JSON.stringify(problemDocument(problem, request.id, rules.site.baseUrl)));
}

/** Nothing failed: this node has enough to do. There is no stack worth reading. */
function isOwnRefusal(error: unknown): error is Problem {
  if (!(error instanceof Problem) || error.code !== 'unavailable') return false;
  return error.cause === undefined || error.cause instanceof NoTurn;
}

export function problemDocument(problem: Problem, requestId: string, baseUrl: string) {
  return {
    type: `${baseUrl}/docs/errors#${problem.code}`,
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    requestId,
    errors: problem.errors,
    candidates: problem.candidates,
  };
}
