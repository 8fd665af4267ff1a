/** Hooks around every request: its ID, headers, trace, metrics and line in the log. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '../../platform/core/operations/shapes.ts';
import { below, parseTraceparent, startSpan } from '../../platform/core/telemetry/tracing.ts';
import { inWork, newWork } from '../../platform/core/work/work.ts';
import { refuseForeignHost, refuseHostCount } from './access/host-check.ts';
import { securityHeaders } from './security-headers.ts';
import type { ServerOptions } from './types.ts';
import { pathOf } from './unknown-path.ts';

const QUIET_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

export function addRequestHooks<Context>(server: FastifyInstance, options: ServerOptions<Context>): void {
  const { log, metrics, settings, site } = options;
  const headers = securityHeaders(site.baseUrl);
  // Callbacks instead of promises: these hooks run for every request.
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    request.work = newWork({ requestId: request.id });
    const path = pathOf(request);
    if (!QUIET_PATHS.has(path))
      request.span = startSpan('request', 'server', {}, parseTraceparent(request.headers.traceparent));
    inWork(request.work, () =>
      below(request.span, () =>
        done(refuseHostCount(request.raw) ?? refuseForeignHost(request.host, path, options)),
      ),
    );
  });
  server.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config.operation ?? 'none';
    const path = pathOf(request);
    const { isWaiting = false, queries, queryMs, tool } = request.work ?? {};
    metrics.observeRequest(
      { operation, status: reply.statusCode, waiting: isWaiting },
      reply.elapsedTime / 1000,
    );
    const line = {
      requestId: request.id,
      method: request.method,
      path: loggedPath(path),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user: request.actor?.userId,
      address: request.ip,
    };
    log[QUIET_PATHS.has(path) ? 'debug' : 'info'](line, 'request');
    const { slowRequestMs } = settings;
    if (slowRequestMs > 0 && reply.elapsedTime >= slowRequestMs && !isWaiting)
      log.warn({ ...line, operation, tool, queries, queryMs: Math.round(queryMs ?? 0) }, 'slow request');
    if (request.span) endRequestSpan(request, reply);
    done();
  });
}

function endRequestSpan({ id, method, routeOptions, span, work }: FastifyRequest, reply: FastifyReply): void {
  const status = reply.statusCode;
  const route = routeOptions.url;
  span!.name = work?.tool ? `tools/call ${work.tool}` : route ? `${method} ${route}` : method;
  span!.attributes = {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'gen_ai.tool.name': work?.tool,
    'countersign.operation': routeOptions.config.operation,
    'countersign.request_id': id,
  };
  span!.end(status >= 500 ? String(status) : undefined);
}

/** Longer than any word in our paths. */
const LONG_PART = /[^/]{21,}/g;

/** A path as it is logged: words and ids only, because people put keys and tokens into paths by mistake. */
function loggedPath(path: string): string {
  return path.replace(LONG_PART, (part) => (isUuid(part) ? part : '…'));
}
