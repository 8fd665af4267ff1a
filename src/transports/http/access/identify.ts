/** Authenticates the caller before the body is read: by a key or token if one is sent, otherwise by the session cookie. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { Actor, CredentialKind } from '../../../platform/core/operations/actor.ts';
import { AGENT_SCOPE, resourceMetadataUrl } from '../../../platform/core/ports/agent-sign-in.ts';
import type { Authenticate } from '../types.ts';
import { refuseCrossOrigin } from './cross-origin.ts';
import { type RateLimit, rateLimitHeaders, refuseExcess } from './rate-limit.ts';
import { readSessionCookie } from './session-cookie.ts';

export interface IdentifyRules {
  authenticate: Authenticate;
  rateLimit: RateLimit | undefined;
  site: { baseUrl: string };
}

export interface EndpointAccess {
  /** Shown in error messages. */
  name: string;
  accepts: readonly CredentialKind[];
  /** Whether a 401 says where agents sign in. */
  offersSignIn?: boolean;
}

/** A credential, and the header it was sent in. */
export type SentCredential =
  | { header: 'x-api-key'; key: string }
  | { header: 'authorization'; key: string }
  | { header: 'authorization'; token: string }
  | { header: 'cookie'; session: string };

const KEY_PREFIX = 'csk_';

/** The caller, or undefined where no credential is needed. */
export async function identify(
  access: EndpointAccess,
  request: FastifyRequest,
  reply: FastifyReply,
  rules: IdentifyRules,
): Promise<Actor | undefined> {
  const { accepts } = access;
  const { baseUrl } = rules.site;
  const sent = sentCredential(request, baseUrl);
  // Browsers send cookies automatically, but never a key or a token. An endpoint that offers sign-in accepts no cookie,
  // and an agent in a browser must be able to read its 401.
  if (!access.offersSignIn && (!sent || sent.header === 'cookie')) {
    refuseCrossOrigin(request.method, request.headers, baseUrl);
  }
  const actor = await callerOf(sent, rules.authenticate);
  countRequest(actor, request, reply, rules.rateLimit);

  if (sent && sent.header !== 'cookie') {
    if (!actor) throw unauthenticated(challengeTo(sent, baseUrl), baseUrl);
    if (!accepts.includes(actor.kind)) {
      const detail = `${access.name} needs a browser session.`;
      throw new Problem(actor.kind === 'key' ? 'key_not_accepted' : 'forbidden', detail);
    }
    return actor;
  }
  if (accepts.length === 0) return undefined;
  if (actor && accepts.includes(actor.kind)) return actor;
  if (access.offersSignIn) throw unauthenticated(bearerChallenge(baseUrl), baseUrl);
  throw unauthenticated(accepts.includes('key') ? KEY_CHALLENGE : 'Session realm="countersign"', baseUrl);
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

function callerOf(
  sent: SentCredential | undefined,
  authenticate: Authenticate,
): Promise<Actor | undefined> | undefined {
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

/** Before a signed body is read, and again when it was refused. */
export function countSigned(
  request: FastifyRequest,
  reply: FastifyReply,
  rateLimit: RateLimit | undefined,
  isRefused: boolean,
): void {
  if (!rateLimit) return;
  const allowance = rateLimit.signed(request.ip, request.sender!, isRefused);
  if (isRefused) reply.headers(rateLimitHeaders(allowance));
  refuseExcess(allowance);
}

const KEY_CHALLENGE = 'ApiKey realm="countersign"';

/** A script that sent a key gets no sign-in challenge, because its client would open a browser. */
function challengeTo(sent: SentCredential, baseUrl: string): string {
  if (sent.header === 'x-api-key') return KEY_CHALLENGE;
  const invalid = 'error="invalid_token", error_description="The token is invalid or has expired"';
  return 'key' in sent ? `Bearer realm="countersign", ${invalid}` : `${bearerChallenge(baseUrl)}, ${invalid}`;
}

/** RFC 9728: where an agent finds out how to sign in. */
function bearerChallenge(baseUrl: string): string {
  return `Bearer realm="countersign", resource_metadata="${resourceMetadataUrl(baseUrl)}", scope="${AGENT_SCOPE}"`;
}

/** The same reply whether the credential is missing, malformed, unknown or revoked, or its user is deactivated. */
function unauthenticated(challenge: string, baseUrl: string): Problem {
  const detail = `This request has no valid credential. Create an API key at ${baseUrl}/settings/api-keys, or sign in.`;
  return new Problem('unauthenticated', detail, { headers: { 'www-authenticate': challenge } });
}
