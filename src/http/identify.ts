/** Decides who a request comes from, before its body is read: the key alone when one is sent, else the session. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../core/actor.ts';
import { Problem } from '../core/errors.ts';
import type { Operation } from '../core/operation.ts';
import { refuseCrossOrigin } from './cross-origin.ts';
import { type RateLimit, rateLimitHeaders, refuseExcess } from './rate-limit.ts';
import { readSessionCookie } from './session-cookie.ts';
import type { Authenticate } from './types.ts';

export interface IdentifyRules {
  authenticate: Authenticate;
  rateLimit: RateLimit | undefined;
  site: { baseUrl: string };
}

/** The caller of an operation, or undefined where the operation needs none. */
export async function identify(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  rules: IdentifyRules,
): Promise<Actor | undefined> {
  const key = request.headers['x-api-key'];
  if (key === undefined) refuseCrossOrigin(request.method, request.headers, rules.site.baseUrl);
  const actor = await findCaller(request, rules);
  countRequest(actor, request, reply, rules.rateLimit);

  if (key !== undefined) {
    if (!actor) throw unauthenticated('ApiKey realm="countersign"');
    if (!operation.accepts.includes('key')) {
      throw new Problem(
        'key_not_accepted',
        `${operation.http.method} ${operation.http.path} is for people who signed in.`,
      );
    }
    return actor;
  }
  if (operation.accepts.length === 0) return undefined;
  if (actor && operation.accepts.includes(actor.kind)) return actor;
  throw unauthenticated(
    operation.accepts.includes('key') ? 'ApiKey realm="countersign"' : 'Session realm="countersign"',
  );
}

/** A request that carries `x-api-key` is decided by it alone: no cookie is looked at. */
export async function findCaller(request: FastifyRequest, rules: IdentifyRules): Promise<Actor | undefined> {
  const key = request.headers['x-api-key'];
  if (key !== undefined) return rules.authenticate.byKey(String(key));
  const token = readSessionCookie(request, rules.site.baseUrl);
  return token === undefined ? undefined : rules.authenticate.bySession(token);
}

export function countRequest(
  actor: Actor | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  rateLimit: RateLimit | undefined,
): void {
  if (!rateLimit) return;
  const allowance = actor ? rateLimit.credential(actor.credentialId) : rateLimit.address(request.ip);
  reply.headers(rateLimitHeaders(allowance));
  refuseExcess(allowance);
}

/** One and the same reply, whether a credential is missing, malformed, unknown, revoked or its user deactivated. */
function unauthenticated(challenge: string): Problem {
  return new Problem('unauthenticated', 'No valid credential came with this request.', {
    headers: { 'www-authenticate': challenge },
  });
}
