/** Reads a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). */
import { createLocalJWKSet, type errors, type JSONWebKeySet, jwtVerify } from 'jose';
import type { LogoutToken } from './port.ts';
import { ProviderError } from './provider-error.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const MAX_AGE_SECONDS = 5 * 60;
const CLOCK_TOLERANCE_SECONDS = 30;
/** Signatures only: a token without one, or signed with the client secret, proves too little. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

export async function readLogoutToken(
  token: string,
  keys: JSONWebKeySet,
  expected: { issuer: string; clientId: string; now: Date },
): Promise<LogoutToken> {
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
    issuer: expected.issuer,
    audience: expected.clientId,
    algorithms: ALGORITHMS,
    currentDate: expected.now,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    maxTokenAge: MAX_AGE_SECONDS,
    requiredClaims: ['iat', 'jti', 'events'],
  }).catch((error: unknown) => {
    throw new ProviderError(
      'invalid',
      `The logout token is not valid: ${(error as errors.JOSEError).message}.`,
      error,
    );
  });
  const { events, exp, iat, jti, nonce, sid, sub } = payload;
  if (typeof events !== 'object' || events === null || !Object.hasOwn(events, EVENT)) {
    throw new ProviderError('invalid', 'The token is not a logout token.');
  }
  // With a nonce, it would be an ID token that somebody sends as a logout token.
  if (nonce !== undefined) throw new ProviderError('invalid', 'A logout token must not have a nonce.');
  const subject = typeof sub === 'string' ? sub : null;
  const providerSession = typeof sid === 'string' ? sid : null;
  if (subject === null && providerSession === null) {
    throw new ProviderError('invalid', 'The logout token names no person and no session.');
  }
  const lastSecond = Math.max(exp ?? 0, iat! + MAX_AGE_SECONDS) + CLOCK_TOLERANCE_SECONDS;
  return { id: jti!, subject, providerSession, expiresAt: new Date(lastSecond * 1000) };
}
