/** Sends a browser to the provider: the sign-in is bound to this browser, and everything that must match later is kept. */

import type { PublicContext } from '../../../context.ts';
import { ProviderError } from '../../../engines/identity-provider/index.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { hashOf, newToken } from '../../../platform/core/text/secret-token.ts';
import { ownPath, redirectUrl } from '../settings/addresses.ts';
import { connectionOf, sealSignIn } from '../settings/sealed.ts';
import { isOn, selectSettings } from '../settings/settings-store.ts';
import { insertRedirect } from './redirect-store.ts';

const MINUTES_10_MS = 10 * 60_000;
const RETRY_SECONDS = 30;

export async function startRedirect(
  context: PublicContext,
  request: { organizationId: string; userId: string | null; returnTo: string | undefined },
): Promise<{ url: string }> {
  const { baseUrl, clock, db, identityProviders, secrets, session } = context;
  const { organizationId, returnTo, userId } = request;
  const row = await selectSettings(db, organizationId);
  if (!row || !isOn(row)) throw notFound('The single sign-on provider');
  const started = { state: newToken(), nonce: newToken(), codeVerifier: newToken() };
  const url = await identityProviders
    .signInUrl(connectionOf(context, row), redirectUrl(baseUrl), started)
    .catch((error: unknown) => {
      throw error instanceof ProviderError ? startProblem(error) : error;
    });
  // Kept by the browser, so that several tabs can sign in at once.
  const browser = session.browserToken ?? newToken();
  session.rememberBrowser(browser);
  await insertRedirect(db, {
    stateHash: hashOf(started.state),
    browserHash: hashOf(browser),
    organizationId,
    userId,
    secrets: sealSignIn(secrets, organizationId, { ...started, issuer: row.issuer }),
    returnTo: ownPath(returnTo, baseUrl),
    expiresAt: new Date(clock.now().getTime() + MINUTES_10_MS),
  });
  return { url };
}

export function startProblem(error: ProviderError): Problem {
  if (error.code === 'unreachable') {
    return new Problem('unavailable', error.message, { cause: error, retryAfterSeconds: RETRY_SECONDS });
  }
  return new Problem('single_sign_on_failed', error.message, { cause: error });
}
