/**
 * Reads what CI and other tools say about a commit on GitLab: jobs of its pipelines, and statuses that were set from outside. GitLab lists
 * both together and names whoever pushed as the author of a job, so jobs are read from their pipelines.
 */
import type { z } from 'zod';
import { collectStatuses } from '../collect-statuses.ts';
import type { HostClient } from '../host-client.ts';
import { isHostError } from '../host-error.ts';
import { MAX_PIPELINES, MAX_STATUSES } from '../limits.ts';
import { collect, listAll } from '../pages.ts';
import type { CommitStatus, CommitStatuses } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { commitStatusShape, jobShape, pipelinesShape } from './shapes.ts';

/** No username has a space. */
const CI = 'GitLab CI';

type Job = z.output<typeof jobShape>;

export async function readStatuses(
  client: HostClient,
  projectPath: string,
  commit: string,
): Promise<CommitStatuses> {
  const unreadable: string[] = [];
  const { isTruncated, jobs } = await readJobs(client, projectPath, commit).catch((error: unknown) => {
    // CI is switched off for the project, or only for those who may not see it.
    if (!isHostError(error, 'forbidden', 'not_found')) throw error;
    if (isHostError(error, 'forbidden')) unreadable.push('pipelines');
    return { jobs: [], isTruncated: false };
  });
  const path = `${projectPath}/repository/commits/${encodeURIComponent(commit)}/statuses`;
  const listed = listAll({
    client,
    request: { path },
    shape: commitStatusShape,
    what: 'the commit statuses',
  });
  const set = await collect(listed, MAX_STATUSES).catch((error: unknown) => {
    // The commit is only in a fork.
    if (!isHostError(error, 'forbidden', 'not_found')) throw error;
    if (isHostError(error, 'forbidden')) unreadable.push('commit statuses');
    return { items: [], truncated: false };
  });
  const jobIds = new Set(jobs.map(({ id }) => id));
  const fromOutside = set.items.filter(({ id }) => !jobIds.has(id)).flatMap(statusOf);
  const all = collectStatuses([...newestJobs(jobs).flatMap(statusOfJob), ...fromOutside]);
  return {
    statuses: all.statuses,
    truncated: all.truncated || set.truncated || isTruncated,
    unreadable: unreadable.length > 0 ? unreadable.join(' and ') : null,
  };
}

/** Only those of the newest pipelines; a new one is made when someone runs a pipeline again. */
async function readJobs(client: HostClient, projectPath: string, commit: string) {
  const query = { sha: commit, order_by: 'id', sort: 'desc', per_page: MAX_PIPELINES };
  const { json } = await client({ path: `${projectPath}/pipelines`, query });
  const jobs: Job[] = [];
  let isTruncated = false;
  for (const { id, source } of readReply(pipelinesShape, json, 'the pipelines')) {
    if (source === 'external') continue;
    const request = { path: `${projectPath}/pipelines/${id}/jobs` };
    const found = await collect(
      listAll({ client, request, shape: jobShape, what: 'the jobs' }),
      MAX_STATUSES,
    );
    jobs.push(...found.items);
    isTruncated ||= found.truncated;
  }
  return { jobs, isTruncated };
}

/** One for each branch or merge request that a pipeline ran for: those of newer pipelines come first. */
function newestJobs(jobs: Job[]): Job[] {
  const newest = new Map<string, Job>();
  for (const job of jobs) {
    const key = JSON.stringify([job.ref, job.name]);
    if (!newest.has(key)) newest.set(key, job);
  }
  return [...newest.values()];
}

const STATES: Record<string, CommitStatus['state']> = {
  success: 'success',
  failed: 'failure',
  canceled: 'error',
  canceling: 'error',
};

/** Jobs that wait for a person run only if someone wants them to. */
const NOT_RUN = ['skipped', 'manual'];

function statusOfJob({ allow_failure, name, status, web_url }: Job): CommitStatus[] {
  if (NOT_RUN.includes(status)) return [];
  const description = status === 'failed' && allow_failure ? 'Failed, and is allowed to' : '';
  return [{ name, state: STATES[status] ?? 'pending', description, url: web_url || null, account: CI }];
}

function statusOf(found: z.output<typeof commitStatusShape>): CommitStatus[] {
  const { author, description, name, status, target_url } = found;
  if (NOT_RUN.includes(status)) return [];
  return [
    {
      name,
      state: STATES[status] ?? 'pending',
      description: description ?? '',
      url: target_url || null,
      account: author?.username ?? null,
    },
  ];
}
