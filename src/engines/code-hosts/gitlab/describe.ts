/** Who the service is on GitLab, and what its token lacks. */
import type { HostClient } from '../host-client.ts';
import { isHostError } from '../host-error.ts';
import type { Capabilities, HostDescription } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { accountOf } from './read.ts';
import { serverShape, tokenShape, userShape } from './shapes.ts';

export async function describeGitLab(client: HostClient, can: Capabilities): Promise<HostDescription> {
  const user = await client({ path: '/api/v4/user' });
  const server = await client({ path: '/api/v4/version' });
  const token = await readToken(client);
  const scopes = token.scopes ?? [];
  const missing =
    token.scopes && !scopes.includes('api')
      ? [{ permission: 'api', neededFor: 'replying, resolving and reviewing, and creating webhooks' }]
      : [];
  return {
    account: accountOf(readReply(userShape, user.json, 'the account')),
    scopes,
    // Tokens expire when that day begins, in UTC.
    expiresAt: token.expires_at ? new Date(`${token.expires_at}T00:00:00Z`) : null,
    version: readReply(serverShape, server.json, 'the version').version,
    missing,
    can,
  };
}

/** Nothing for tokens that aren't access tokens, which don't describe themselves. */
async function readToken(
  client: HostClient,
): Promise<{ scopes?: string[] | null; expires_at?: string | null }> {
  try {
    const { json } = await client({ path: '/api/v4/personal_access_tokens/self' });
    return readReply(tokenShape, json, 'the token');
  } catch (error) {
    if (isHostError(error, 'not_found', 'forbidden', 'invalid')) return {};
    throw error;
  }
}
