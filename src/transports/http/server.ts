/** Builds the HTTP server from the operations table. It receives everything it needs as arguments and does not start listening. */
import { type IncomingMessage, maxHeaderSize } from 'node:http';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Operation } from '../../platform/core/operations/operation.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import type { IdentifyRules } from './access/identify.ts';
import { RateLimit } from './access/rate-limit.ts';
import { addAgentSignIn } from './agent-sign-in-routes.ts';
import { replyToBrokenRequest } from './broken-request.ts';
import { BytesInFlight } from './bytes-in-flight.ts';
import { createDisconnects } from './disconnects.ts';
import { addApiDocument } from './docs/api-document.ts';
import { addHealth } from './health.ts';
import { JsonWork } from './json-work.ts';
import { addMcpDoctor } from './mcp/mcp-doctor.ts';
import { addMcp } from './mcp/mcp-route.ts';
import { RefusalLog } from './refusal-log.ts';
import { RefusalPace } from './refusal-pace.ts';
import { replyError } from './reply-error.ts';
import { readJsonBody, readSignedBody } from './request-body.ts';
import { addRequestHooks } from './request-hooks.ts';
import { addRoute } from './route.ts';
import type { ServerOptions, ServerParts } from './types.ts';
import { refuseUnknownPaths, routableAddress } from './unknown-path.ts';
import { dropUnreadBody } from './unread-body.ts';
import { addWebApp } from './web-app.ts';

/** The largest request body without a valid credential: a sign-in or an invitation needs far less. */
const ANONYMOUS_BODY_BYTES = 64 * 1024;

export async function createServer<Context>(options: ServerOptions<Context>): Promise<FastifyInstance> {
  const { log, operations, settings, site } = options;
  const errorRules = { ...options, refusals: new RefusalLog(log) };
  const server: FastifyInstance = fastify({
    logger: false, // Requests are logged below: a child logger for each request would cost time.
    genReqId: () => uuidv7(),
    trustProxy: settings.trustedProxies.length > 0 ? settings.trustedProxies : false,
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    // While the service stops, requests on open connections are still served; /readyz makes load balancers send new ones elsewhere.
    return503OnClosing: false,
    http: { requireHostHeader: false }, // Checked below instead, where the reply is a problem document.
    rewriteUrl: routableAddress,
    // As long as a URL can be: an overlong id is then refused as malformed, not as an unknown path.
    routerOptions: { maxParamLength: maxHeaderSize },
    frameworkErrors: (error, request, reply) => replyError(error, request, reply, errorRules),
    clientErrorHandler: (error, socket) => replyToBrokenRequest(error, socket, { site, log }),
  });
  const identifyRules: IdentifyRules = {
    authenticate: options.authenticate,
    rateLimit: settings.rateLimit && new RateLimit(settings.rateLimit),
    site,
  };

  const jsonWork = new JsonWork();

  server.decorateRequest('actor', undefined);
  server.decorateRequest('wasComplete', false);
  server.decorateRequest('work', undefined);
  server.decorateRequest('incoming', undefined);
  server.decorateRequest('sender', undefined);
  server.decorateRequest('span', undefined);
  server.setErrorHandler((error, request, reply) => replyError(error, request, reply, errorRules));
  addRequestHooks(server, options);

  let sweeping: NodeJS.Timeout | undefined;
  server.addHook('preClose', async () => {
    // A connection that is still sending its reply is not idle yet when the server closes, so idle ones are closed repeatedly.
    sweeping = setInterval(() => server.server.closeIdleConnections(), 50).unref();
    server.server.once('close', () => clearInterval(sweeping));
  });
  const pace = new RefusalPace();
  server.addHook('onSend', (request, reply, _payload, done) => {
    dropUnreadBody(request, reply, pace, () => {
      // Otherwise the client would send its next request over a connection that is about to close.
      if (sweeping) reply.header('connection', 'close');
      done();
    });
  });

  await server.register(cookie);
  await server.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // At most half the time of the default, for 10 to 20 % more bytes.
    zlibOptions: { level: constants.Z_BEST_SPEED },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
    globalDecompression: false,
  });

  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) => {
    const { actor, incoming, routeOptions } = request;
    const { signedBody, wanted } = routeOptions.config;
    const limitBytes =
      actor || signedBody === 'large'
        ? settings.bodyLimitBytes
        : Math.min(settings.bodyLimitBytes, ANONYMOUS_BODY_BYTES);
    if (signedBody) return readSignedBody(payload, limitBytes, incoming!);
    const parseLarge = actor && wanted && ((bytes: Buffer) => jsonWork.wanted(bytes, wanted, actor));
    return readJsonBody(payload, limitBytes, incoming!, parseLarge);
  });
  // A client that waits for permission to send its body gets it when the body is about to be read.
  server.server.on('checkContinue', (message, response) => server.server.emit('request', message, response));

  refuseUnknownPaths(server, identifyRules, () => webApp);
  const parts: ServerParts<Context> = {
    ...options,
    disconnectOf: createDisconnects(options.stopping),
    inFlight: new BytesInFlight(settings.bodyLimitBytes),
    jsonWork,
  };
  for (const operation of operations) addRoute(server, operation, parts, identifyRules);
  await addMcp(server, parts, identifyRules);
  addMcpDoctor(server, options, identifyRules);
  await addAgentSignIn(server, parts, identifyRules);
  addHealth(server, options);
  const webApp = options.webAppFolder ? addWebApp(server, options.webAppFolder, site) : undefined;
  await addApiDocument(server, operations as readonly Operation[], site, settings);

  return server;
}
