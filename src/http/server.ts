/** The HTTP server made of the operations table; it is handed everything it needs and never listens by itself. */
import { type IncomingMessage, maxHeaderSize } from 'node:http';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { invalidRequest } from '../core/errors.ts';
import type { Operation } from '../core/operation.ts';
import { isUuid } from '../core/shapes.ts';
import { uuidv7 } from '../core/uuid.ts';
import { addApiDocument } from './api-document.ts';
import { replyToBrokenRequest } from './broken-request.ts';
import { addHealth } from './health.ts';
import type { IdentifyRules } from './identify.ts';
import { RateLimit } from './rate-limit.ts';
import { replyError } from './reply-error.ts';
import { readJsonBody } from './request-body.ts';
import { addRoute } from './route.ts';
import { securityHeaders } from './security-headers.ts';
import type { ServerOptions } from './types.ts';
import { pathOf, refuseUnknownPaths, routableAddress } from './unknown-path.ts';
import { addWebApp } from './web-app.ts';

const QUIET_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

export async function createServer<Context>(options: ServerOptions<Context>): Promise<FastifyInstance> {
  const { log, metrics, operations, settings, site } = options;
  const server: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => uuidv7(),
    trustProxy: settings.trustedProxies.length > 0 ? settings.trustedProxies : false,
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    // What arrives on an open connection while the service stops is answered; /readyz sends the rest elsewhere.
    return503OnClosing: false,
    http: { requireHostHeader: false }, // Checked below instead, where the refusal is a problem document.
    rewriteUrl: routableAddress,
    // As long as an address can be at all: a malformed id is then refused as one, whatever its length.
    routerOptions: { maxParamLength: maxHeaderSize },
    frameworkErrors: (error, request, reply) => replyError(error, request, reply, options),
    clientErrorHandler: (error, socket) => replyToBrokenRequest(error, socket, { site, log }),
  });
  const identifyRules: IdentifyRules = {
    authenticate: options.authenticate,
    rateLimit: settings.rateLimit && new RateLimit(settings.rateLimit),
    site,
  };

  const headers = securityHeaders(site.baseUrl);

  server.decorateRequest('actor', undefined);
  server.decorateRequest('identifiedMs', 0);
  server.setErrorHandler((error, request, reply) => replyError(error, request, reply, options));
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id);
  });
  server.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.config.operation ?? 'none';
    const path = pathOf(request);
    metrics.observeRequest({ operation, status: reply.statusCode }, reply.elapsedTime / 1000);
    log[QUIET_PATHS.has(path) ? 'debug' : 'info'](
      {
        requestId: request.id,
        method: request.method,
        path: loggedPath(path),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.actor?.userId,
        address: request.ip,
      },
      'request',
    );
  });

  let sweeping: NodeJS.Timeout | undefined;
  server.addHook('preClose', async () => {
    // A connection whose reply is just leaving is not idle yet when the server closes; it is as soon as it has left.
    sweeping = setInterval(() => server.server.closeIdleConnections(), 50).unref();
    server.server.once('close', () => clearInterval(sweeping));
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    // Or the client would send its next request over a connection that is about to end.
    if (sweeping) reply.header('connection', 'close');
    done();
  });

  await server.register(cookie);
  await server.register(compress, { threshold: 1024, encodings: ['br', 'gzip'], globalDecompression: false });

  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage) =>
    readJsonBody(payload, settings.bodyLimitBytes),
  );

  server.addHook('onRequest', async ({ headers, raw }) => {
    if (headers.host === undefined && raw.httpVersion !== '1.0') {
      throw invalidRequest([{ path: 'Host', message: 'is required in HTTP/1.1' }]);
    }
  });
  refuseUnknownPaths(server, identifyRules, () => webApp);
  for (const operation of operations) addRoute(server, operation, options, identifyRules);
  addHealth(server, options);
  const webApp = options.webAppFolder ? addWebApp(server, options.webAppFolder) : undefined;
  await addApiDocument(server, operations as readonly Operation[], site);

  return server;
}

/** Longer than any word in an address of ours. */
const LONGEST_WORD = 20;

/** A path as it may be logged: words and ids are shown, but people put keys and tokens into paths by mistake. */
function loggedPath(path: string): string {
  return path
    .split('/')
    .map((part) => (part.length <= LONGEST_WORD || isUuid(part) ? part : '…'))
    .join('/');
}
