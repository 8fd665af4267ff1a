/** Reads what CI and other tools say about a commit on Gitea and Forgejo: the newest status of each name. */
import type { z } from 'zod';
import { collectStatuses } from '../collect-statuses.ts';
import type { HostClient } from '../host-client.ts';
import { isHostError } from '../host-error.ts';
import { MAX_STATUSES } from '../limits.ts';
import type { CommitStatus, CommitStatuses } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { combinedStatusShape, type commitStatusShape } from './shapes.ts';

/** Servers give out at most 50 by default. */
const PAGE_SIZE = 50;
/** These replies have no `Link` header. A page with fewer is the last: no server gives out so few at a time. */
const SMALLEST_PAGE = 10;

export async function readStatuses(
  client: HostClient,
  repositoryPath: string,
  commit: string,
): Promise<CommitStatuses> {
  const path = `${repositoryPath}/commits/${encodeURIComponent(commit)}/status`;
  const found: CommitStatus[] = [];
  try {
    for (let page = 1; page * PAGE_SIZE <= MAX_STATUSES; page += 1) {
      const { json } = await client({ path, query: { limit: PAGE_SIZE, page } });
      const { statuses } = readReply(combinedStatusShape, json, 'the commit statuses');
      found.push(...(statuses ?? []).flatMap(statusOf));
      if ((statuses ?? []).length < SMALLEST_PAGE) return { ...collectStatuses(found), unreadable: null };
    }
  } catch (error) {
    if (!isHostError(error, 'forbidden', 'not_found')) throw error;
    const unreadable = isHostError(error, 'forbidden') ? 'commit statuses' : null;
    return { ...collectStatuses(found), unreadable };
  }
  return { ...collectStatuses(found), truncated: true, unreadable: null };
}

const STATES: Record<string, CommitStatus['state']> = {
  pending: 'pending',
  success: 'success',
  failure: 'failure',
  warning: 'failure',
};

function statusOf(found: z.output<typeof commitStatusShape>): CommitStatus[] {
  const { context, creator, description, status, target_url } = found;
  if (status === 'skipped') return [];
  return [
    {
      name: context,
      state: STATES[status] ?? 'error',
      description: description ?? '',
      url: target_url || null,
      account: creator?.login ?? null,
    },
  ];
}
