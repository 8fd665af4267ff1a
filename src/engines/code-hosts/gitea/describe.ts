/** Who the service is on a Gitea server, and what its token lacks. The server doesn't say scopes, so reading is tried. */
import type { HostClient } from '../host-client.ts';
import { isHostError } from '../host-error.ts';
import type { HostDescription } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { accountOf } from './read.ts';
import { giteaCapabilities, type ServerFacts } from './server-facts.ts';
import { userShape } from './shapes.ts';

const PROBES = [
  {
    path: '/api/v1/user/repos',
    permission: 'write:repository',
    neededFor: 'reading code and pull requests, and reviewing',
  },
  {
    path: '/api/v1/repos/issues/search',
    permission: 'write:issue',
    neededFor: 'reading and writing comments',
  },
  {
    path: '/api/v1/user/orgs',
    permission: 'read:organization',
    neededFor: 'knowing which teams can read a repository',
  },
] as const;

export async function describeGitea(client: HostClient, facts: ServerFacts): Promise<HostDescription> {
  const { json } = await client({ path: '/api/v1/user' });
  const account = accountOf(readReply(userShape, json, 'the account'));
  const missing = [];
  for (const { neededFor, path, permission } of PROBES)
    if (await isForbidden(client, path)) missing.push({ permission, neededFor });
  return {
    account,
    scopes: [],
    expiresAt: null,
    version: facts.version,
    missing,
    can: giteaCapabilities(facts),
  };
}

async function isForbidden(client: HostClient, path: string): Promise<boolean> {
  try {
    await client({ path, query: { limit: 1 } });
    return false;
  } catch (error) {
    if (isHostError(error, 'forbidden')) return true;
    throw error;
  }
}
