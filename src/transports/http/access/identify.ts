/** Decides who a request comes from, before its body is read: a key or token alone when one is sent, else the session. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, CredentialKind } from '../../../platform/core/actor.ts';
import { AGENT_SCOPE, resourceMetadataUrl } from '../../../platform/core/agent-sign-in.ts';
import { Problem } from '../../../platform/core/errors.ts';
import type { Authenticate } from '../types.ts';
import { refuseCrossOrigin } from './cross-origin.ts';
import { type RateLimit, rateLimitHeaders, refuseExcess } from './rate-limit.ts';
import { readSessionCookie } from './session-cookie.ts';

export interface IdentifyRules {
  authenticate: Authenticate;
  rateLimit: RateLimit | undefined;
  site: { baseUrl: string };
}

/** What is being asked for: an operation, or the agents' door. */
export interface Door {
  /** As a refusal names it. */
  name: string;
  accepts: readonly CredentialKind[];
  /** Whether a caller without a credential is told where an agent can be signed in. */
  invitesSignIn?: boolean;
}

/** A credential as it was sent; `header` says which way. */
export type SentCredential =
  | { header: 'x-api-key'; key: string }
  | { header: 'authorization'; key: string }
  | { header: 'authorization'; token: string }
  | { header: 'cookie'; session: string };

const KEY_PREFIX = 'csk_';

/** The caller, or undefined where none is needed. */
export async function identify(
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
  rules: IdentifyRules,
): Promise<Actor | undefined> {
  const { accepts } = door;
  const sent = sentCredential(request, rules.site.baseUrl);
  // Browsers add cookies by themselves, but never a key or a token; where agents sign in, no cookie opens anything, and
  // an agent in a browser has to learn how it can sign in.
  if (!door.invitesSignIn && (!sent || sent.header === 'cookie')) {
    refuseCrossOrigin(request.method, request.headers, rules.site.baseUrl);
  }
  const actor = await callerOf(sent, rules.authenticate);
  countRequest(actor, request, reply, rules.rateLimit);

  if (sent && sent.header !== 'cookie') {
    if (!actor) throw unauthenticated(challengeTo(sent, rules.site.baseUrl));
    if (!accepts.includes(actor.kind)) {
      const detail = `${door.name} is for people who signed in with a browser.`;
      throw new Problem(actor.kind === 'key' ? 'key_not_accepted' : 'forbidden', detail);
    }
    return actor;
  }
  if (accepts.length === 0) return undefined;
  if (actor && accepts.includes(actor.kind)) return actor;
  if (door.invitesSignIn) throw unauthenticated(bearerChallenge(rules.site.baseUrl));
  throw unauthenticated(accepts.includes('key') ? KEY_CHALLENGE : 'Session realm="countersign"');
}

/** Exactly one credential counts: `x-api-key`, else a bearer token, else the cookie. */
export function sentCredential(request: FastifyRequest, baseUrl: string): SentCredential | undefined {
  const key = request.headers['x-api-key'];
  if (key !== undefined) return { header: 'x-api-key', key: String(key) };
  const bearer = /^bearer +(.*)$/i.exec(request.headers.authorization ?? '')?.[1]?.trim();
  if (bearer !== undefined) {
    return bearer.startsWith(KEY_PREFIX)
      ? { header: 'authorization', key: bearer }
      : { header: 'authorization', token: bearer };
  }
  const session = readSessionCookie(request, baseUrl);
  return session === undefined ? undefined : { header: 'cookie', session };
}

export async function findCaller(request: FastifyRequest, rules: IdentifyRules): Promise<Actor | undefined> {
  return callerOf(sentCredential(request, rules.site.baseUrl), rules.authenticate);
}

async function callerOf(
  sent: SentCredential | undefined,
  authenticate: Authenticate,
): Promise<Actor | undefined> {
  if (!sent) return undefined;
  if ('key' in sent) return authenticate.byKey(sent.key);
  return 'token' in sent ? authenticate.byToken(sent.token) : authenticate.bySession(sent.session);
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

const KEY_CHALLENGE = 'ApiKey realm="countersign"';

/** A script that sent a key is not told of signing in, or its client would open a browser. */
function challengeTo(sent: SentCredential, baseUrl: string): string {
  if (sent.header === 'x-api-key') return KEY_CHALLENGE;
  const invalid = 'error="invalid_token", error_description="The token is not valid, or not any more"';
  return 'key' in sent ? `Bearer realm="countersign", ${invalid}` : `${bearerChallenge(baseUrl)}, ${invalid}`;
}

/** RFC 9728: where an agent learns how it can be signed in. */
function bearerChallenge(baseUrl: string): string {
  return `Bearer realm="countersign", resource_metadata="${resourceMetadataUrl(baseUrl)}", scope="${AGENT_SCOPE}"`;
}

/** One and the same reply, whether a credential is missing, malformed, unknown, revoked or its user deactivated. */
function unauthenticated(challenge: string): Problem {
  return new Problem('unauthenticated', 'This request has no valid credential.', {
    headers: { 'www-authenticate': challenge },
  });
}
