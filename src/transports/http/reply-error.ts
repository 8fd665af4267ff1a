/** The only place that turns errors into problem documents (RFC 9457). Unexpected errors reveal no internals. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAbort, PROBLEMS, type Problem } from '../../platform/core/errors.ts';
import type { Log } from '../../platform/core/log.ts';
import { errorCode } from '../../platform/core/start-failure.ts';
import { toProblem } from '../../platform/core/to-problem.ts';
import { unsupportedMediaType } from './request-body.ts';

export interface ErrorRules {
  log: Log;
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
  if (problem.status >= 500) {
    rules.log.error({ requestId: request.id, err: error }, 'request failed');
  }
  // Fastify closes the connection after a refused body; that is unnecessary once the body was read to its end.
  if (request.raw.complete && reply.hasHeader('connection')) reply.removeHeader('connection');
  if (problem.status === 401) problem.headers['www-authenticate'] ??= 'Session realm="countersign"';
  reply
    .code(problem.status)
    .headers({ ...problem.headers, 'cache-control': 'no-store' })
    .type('application/problem+json')
    .send(JSON.stringify(problemDocument(problem, request.id, rules.site.baseUrl)));
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
