/** Finds out what a Gitea or Forgejo server supports, by its version. Forgejo counts differently, so its API is asked. */
import type { HostClient } from '../host-client.ts';
import { isHostError } from '../host-error.ts';
import type { Capabilities } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { swaggerShape, versionShape } from './shapes.ts';

export interface ServerFacts {
  version: string;
  resolve: boolean;
  /** How to reply in a thread: the endpoint for it, one more comment in its review, or a new review on its line. */
  reply: 'reply' | 'review_comment' | 'new_review';
}

/** Kept for all uses of a credential; read again in case the server was upgraded. */
export interface FactsState {
  facts: ServerFacts | null;
  readAt: number;
}

const KEPT_MS = 3_600_000;
const RESOLVE_PATH = '/repos/{owner}/{repo}/pulls/comments/{id}/resolve';
const REVIEW_COMMENT_PATH = '/repos/{owner}/{repo}/pulls/{index}/reviews/{id}/comments';

export async function serverFacts(client: HostClient, state: FactsState, now: Date): Promise<ServerFacts> {
  if (state.facts && now.getTime() - state.readAt < KEPT_MS) return state.facts;
  const { json } = await client({ path: '/api/v1/version' });
  const { version } = readReply(versionShape, json, 'the version');
  state.facts = /forgejo|\+gitea-/i.test(version)
    ? await factsOfForgejo(client, version)
    : factsOfGitea(version);
  state.readAt = now.getTime();
  return state.facts;
}

/** Resolving came with 1.26, replying with 1.27. */
export function factsOfGitea(version: string): ServerFacts {
  const [, major = '0', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  const isAtLeast = (wanted: number) => Number(major) > 1 || (major === '1' && Number(minor) >= wanted);
  return { version, resolve: isAtLeast(26), reply: isAtLeast(27) ? 'reply' : 'new_review' };
}

async function factsOfForgejo(client: HostClient, version: string): Promise<ServerFacts> {
  try {
    const { json } = await client({ path: '/swagger.v1.json' });
    const { paths } = readReply(swaggerShape, json, 'the description of the API');
    const hasPost = (path: string) =>
      typeof paths[path] === 'object' && paths[path] !== null && 'post' in paths[path];
    return {
      version,
      resolve: hasPost(RESOLVE_PATH),
      reply: hasPost(REVIEW_COMMENT_PATH) ? 'review_comment' : 'new_review',
    };
  } catch (error) {
    // The operator of the server can switch it off.
    if (isHostError(error, 'not_found', 'forbidden', 'unexpected_reply'))
      return { version, resolve: false, reply: 'new_review' };
    throw error;
  }
}

export function giteaCapabilities({ resolve }: ServerFacts): Capabilities {
  return { threads: true, resolve, checks: false, suggestions: false, fileComments: false };
}
