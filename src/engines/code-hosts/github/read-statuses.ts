/** Reads what CI and other tools say about a commit on GitHub: commit statuses, and the check runs of Apps. */
import type { z } from 'zod';
import { collectStatuses } from '../collect-statuses.ts';
import type { HostClient } from '../host-client.ts';
import { isHostError } from '../host-error.ts';
import { MAX_STATUS_PAGES, MAX_STATUSES } from '../limits.ts';
import { collect, hasNextPage, listAll } from '../pages.ts';
import type { CommitStatus, CommitStatuses } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { checkRunListShape, statusShape } from './shapes.ts';

const PAGE_SIZE = 100;

export async function readStatuses(
  client: HostClient,
  repositoryPath: string,
  commit: string,
): Promise<CommitStatuses> {
  const path = `${repositoryPath}/commits/${encodeURIComponent(commit)}`;
  const unreadable: string[] = [];
  const readable = async (what: string, read: () => Promise<Found>): Promise<Found> => {
    try {
      return await read();
    } catch (error) {
      if (!isHostError(error, 'forbidden')) throw error;
      unreadable.push(what);
      return { statuses: [], truncated: false };
    }
  };
  const set = await readable('commit statuses', () => readCommitStatuses(client, path));
  const run = await readable('check runs', () => readCheckRuns(client, path));
  const all = collectStatuses([...set.statuses, ...run.statuses]);
  return {
    statuses: all.statuses,
    truncated: all.truncated || set.truncated || run.truncated,
    unreadable: unreadable.length > 0 ? unreadable.join(' and ') : null,
  };
}

interface Found {
  statuses: CommitStatus[];
  truncated: boolean;
}

/** Newest first, and only the newest of a name counts, whoever set it. The combined status would not say who did. */
async function readCommitStatuses(client: HostClient, path: string): Promise<Found> {
  const listed = listAll({
    client,
    request: { path: `${path}/statuses` },
    shape: statusShape,
    what: 'the commit statuses',
    size: PAGE_SIZE,
  });
  const { items, truncated } = await collect(listed, MAX_STATUS_PAGES * PAGE_SIZE);
  const newest = new Map<string, CommitStatus>();
  for (const found of items) if (!newest.has(found.context)) newest.set(found.context, statusOf(found));
  return { statuses: [...newest.values()], truncated };
}

/** `latest` leaves out runs that were started again. */
async function readCheckRuns(client: HostClient, path: string): Promise<Found> {
  const statuses: CommitStatus[] = [];
  for (let page = 1; page * PAGE_SIZE <= MAX_STATUSES; page += 1) {
    const { headers, json } = await client({
      path: `${path}/check-runs`,
      query: { filter: 'latest', per_page: PAGE_SIZE, page },
    });
    const { check_runs } = readReply(checkRunListShape, json, 'the check runs');
    statuses.push(...check_runs.flatMap(statusOfRun));
    if (check_runs.length === 0 || !hasNextPage(headers)) return { statuses, truncated: false };
  }
  return { statuses, truncated: true };
}

const STATES: Record<string, CommitStatus['state']> = {
  pending: 'pending',
  success: 'success',
  failure: 'failure',
};

function statusOf(found: z.output<typeof statusShape>): CommitStatus {
  const { context, creator, description, state, target_url } = found;
  return {
    name: context,
    state: STATES[state] ?? 'error',
    description: description ?? '',
    url: target_url || null,
    account: creator?.login ?? null,
  };
}

/** GitHub lets `neutral` pass too. */
const CONCLUSIONS: Record<string, CommitStatus['state']> = {
  success: 'success',
  neutral: 'success',
  failure: 'failure',
  timed_out: 'failure',
  action_required: 'failure',
};

function statusOfRun(run: z.output<typeof checkRunListShape>['check_runs'][number]): CommitStatus[] {
  const { app, conclusion, details_url, html_url, name, output, status } = run;
  if (conclusion === 'skipped') return [];
  const state = status === 'completed' ? (CONCLUSIONS[conclusion ?? ''] ?? 'error') : 'pending';
  return [
    {
      name,
      state,
      description: output?.title ?? '',
      url: details_url || html_url || null,
      account: app?.slug ? `${app.slug}[bot]` : null,
    },
  ];
}
