/** What no route takes: 404, or 405 with the methods that the path has, or 400 for an address that cannot be read. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidRequest, Problem } from '../../platform/core/errors.ts';
import { countRequest, findCaller, type IdentifyRules } from './access/identify.ts';
import { asksForPage, type WebApp } from './web-app.ts';

/** No route has it, so that an unreadable address passes the same counting, headers and logging as any other. */
const UNREADABLE = '/unreadable-address';

/** Clients build the address by joining a base and `mcp`, often with a slash too many. */
const MCP_ADDRESS = /^\/+mcp\/*(?=\?|$)/;

/** The address as the router may have it: percent signs in it stand for UTF-8 text, all of them. */
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

/** The path as it was sent. */
export function pathOf(request: FastifyRequest): string {
  return request.originalUrl.split('?', 1)[0]!;
}

/** Answers before a body is read: whatever was sent to a path that is not there, it is not there. */
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
      throw invalidRequest([
        { path: '', message: 'the address holds a % that does not stand for UTF-8 text' },
      ]);
    }
    const path = decodeURI(request.url.split('?', 1)[0]!);
    const methods = routes.filter(({ pattern }) => pattern.test(path)).map((route) => route.method);
    const shown = pathOf(request).slice(0, 200);
    if (methods.length === 0) {
      const app = webApp();
      if (app && asksForPage(request)) return app.sendNotFound(reply);
      throw new Problem(
        'not_found',
        `There is no ${request.method} ${shown} here. /docs lists what there is.`,
      );
    }
    const allow = [...new Set(methods)].join(', ');
    throw new Problem('method_not_allowed', `${shown} takes ${allow}, not ${request.method}.`, {
      headers: { allow },
    });
  };
}

function patternOf(path: string): RegExp {
  const segments = path.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)));
  return new RegExp(`^${segments.join('/')}$`);
}
