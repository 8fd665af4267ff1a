/** Routes for agent sign-in (OAuth): rate limited like all requests, then passed on as raw Node.js requests. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AgentSignInRoute, AgentSignInVisit } from '../../platform/core/ports/agent-sign-in.ts';
import { countRequest, type IdentifyRules } from './access/identify.ts';
import { RateLimit, refuseExcess } from './access/rate-limit.ts';
import { readSessionCookie } from './access/session-cookie.ts';
import { readBytes } from './request-body.ts';
import type { ServerParts } from './types.ts';

/** A registration or a request for tokens needs far less. */
const MAX_BODY_BYTES = 32 * 1024;
const PREFLIGHT_SECONDS = '86400';

export async function addAgentSignIn<Context>(
  server: FastifyInstance,
  options: ServerParts<Context>,
  rules: IdentifyRules,
): Promise<void> {
  const { agentSignIn, inFlight, log, site } = options;
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
      readBytes(payload, MAX_BODY_BYTES, request.incoming!),
    );
    for (const route of agentSignIn.routes) addSignInRoute(scope, route);
  });

  function addSignInRoute(scope: FastifyInstance, route: AgentSignInRoute): void {
    const { anyOrigin, method, maxPerMinute, path: url } = route;
    const config = { operation: 'agent-sign-in' };
    const strict =
      rules.rateLimit && maxPerMinute && new RateLimit({ perKey: maxPerMinute, perAddress: maxPerMinute });
    const admit = async (request: FastifyRequest, reply: FastifyReply) => {
      if (anyOrigin) allowAnyOrigin(reply);
      countRequest(undefined, request, reply, rules.rateLimit);
      if (strict && request.method === method) refuseExcess(strict.address(request.ip));
      request.incoming = inFlight.open(request, reply);
    };
    scope.route({
      method,
      url,
      config,
      onRequest: admit,
      async handler(request, reply) {
        const cookie = anyOrigin ? undefined : readSessionCookie(request, site.baseUrl);
        const actor = cookie === undefined ? undefined : await rules.authenticate.bySession(cookie);
        reply.hijack();
        for (const [name, value] of Object.entries(reply.getHeaders())) {
          if (value !== undefined) reply.raw.setHeader(name, value);
        }
        const visit: AgentSignInVisit = {
          request: request.raw,
          response: reply.raw,
          body: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
          requestId: request.id,
          address: request.ip,
          sessionId: actor?.credentialId,
        };
        await agentSignIn.handle(visit).catch((error: unknown) => {
          log.error({ requestId: request.id, err: error }, 'request failed');
          endFailedReply(reply);
        });
      },
    });
    if (!anyOrigin) return;
    scope.route({
      method: 'OPTIONS',
      url,
      config,
      onRequest: admit,
      async handler(_request, reply) {
        return reply
          .code(204)
          .headers({
            'access-control-allow-methods': method,
            'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version, *',
            'access-control-max-age': PREFLIGHT_SECONDS,
          })
          .send();
      },
    });
  }
}

/** The reply was hijacked from Fastify, so it must be ended here. */
function endFailedReply({ raw }: FastifyReply): void {
  if (raw.headersSent) raw.destroy();
  else raw.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"server_error"}');
}

/** CORS without credentials: browsers send no cookies, so the calling page gains no access of the user. */
function allowAnyOrigin(reply: FastifyReply): void {
  reply.headers({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'www-authenticate, retry-after, x-request-id',
    'cross-origin-resource-policy': 'cross-origin',
  });
}
