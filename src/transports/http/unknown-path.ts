/** Replies where no route matches: 404, 405 with the allowed methods, or 400 for a malformed URL. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidRequest, Problem } from '../../platform/core/errors/errors.ts';
import { countRequest, findCaller, type IdentifyRules } from './access/identify.ts';
import { requestsPage, type WebApp } from './web-app.ts';

/** Matches no route, so that a malformed URL gets the same rate limit, headers and logging as any other. */
const UNREADABLE = '/unreadable-address';

/** Clients build this URL by joining a base and `mcp`, often with an extra slash. */
const MCP_ADDRESS = /^\/+mcp\/*(?=\?|$)/;

/** The URL for the router, which requires valid percent-encoding. */
export function routableAddress(message: IncomingMessage): string {
  const address = message.url!.replace(MCP_ADDRESS, '/mcp');
  if (!address.includes('%')) return address;
  try {
    decodeURIComponent(address);
    return address;
  } catch {
    return UNREADABLE;
  }
}

/** The path as the client sent it. */
export function pathOf(request: FastifyRequest): string {
  const { originalUrl } = request;
  const query = originalUrl.indexOf('?');
  return query === -1 ? originalUrl : originalUrl.slice(0, query);
}

/** Replies before a body is read: nothing in it can make an unknown path known. */
export function refuseUnknownPaths(
  server: FastifyInstance,
  rules: IdentifyRules,
  webApp: () => WebApp | undefined,
): void {
  const routes: { method: string; pattern: RegExp }[] = [];
  server.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.push({ method: each, pattern: patternOf(url) });
  });
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) done();
    else refuse(request, reply).then(() => undefined, done);
  });
  const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
    countRequest(await findCaller(request, rules), request, reply, rules.rateLimit);
    if (request.url === UNREADABLE && request.originalUrl !== UNREADABLE) {
      throw invalidRequest([{ path: '', message: 'the URL has invalid percent-encoding' }]);
    }
    const path = decodeURI(request.url.split('?', 1)[0]!);
    const methods = routes.filter(({ pattern }) => pattern.test(path)).map((route) => route.method);
    const shown = pathOf(request).slice(0, 200);
    if (methods.length === 0) {
      const app = webApp();
      if (app && requestsPage(request)) return app.sendNotFound(reply);
      throw new Problem(
        'not_found',
        `${request.method} ${shown} does not exist. See /docs for every endpoint.`,
      );
    }
    const allow = [...new Set(methods)].join(', ');
    throw new Problem('method_not_allowed', `${shown} supports ${allow}, not ${request.method}.`, {
      headers: { allow },
    });
  };
}

function patternOf(path: string): RegExp {
  const segments = path.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)));
  return new RegExp(`^${segments.join('/')}$`);
}
