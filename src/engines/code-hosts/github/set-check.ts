/** Shows the result of a review on a commit: a check run of the App, or a commit status. */
import type { HostClient } from '../host-client.ts';
import type { Check } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { checkRunsShape } from './shapes.ts';

const MAX_DESCRIPTION_LENGTH = 140;
const MAX_SUMMARY_LENGTH = 65_535;

const CONCLUSIONS = {
  success: 'success',
  failure: 'failure',
  neutral: 'neutral',
  error: 'cancelled',
} as const;

/** Only for Apps. An earlier run of the same name is updated. */
export async function setCheckRun(
  client: HostClient,
  path: string,
  { appId, commit, check }: { appId: string; commit: string; check: Check },
): Promise<void> {
  const found = await client({
    path: `${path}/commits/${encodeURIComponent(commit)}/check-runs`,
    query: { check_name: check.name, filter: 'latest' },
  });
  const { check_runs } = readReply(checkRunsShape, found.json, 'the check runs');
  const own = check_runs.find(({ app }) => String(app?.id) === appId);
  const body = {
    name: check.name,
    ...(check.state === 'pending'
      ? { status: 'in_progress' }
      : { status: 'completed', conclusion: CONCLUSIONS[check.state] }),
    output: { title: check.title, summary: check.text.slice(0, MAX_SUMMARY_LENGTH) },
    ...(check.url === null ? {} : { details_url: check.url }),
  };
  await (own
    ? client({ method: 'PATCH', path: `${path}/check-runs/${own.id}`, body })
    : client({ method: 'POST', path: `${path}/check-runs`, body: { ...body, head_sha: commit } }));
}

export async function setCommitStatus(
  client: HostClient,
  path: string,
  { commit, check }: { commit: string; check: Check },
): Promise<void> {
  await client({
    method: 'POST',
    path: `${path}/statuses/${encodeURIComponent(commit)}`,
    body: {
      state: check.state === 'neutral' ? 'success' : check.state,
      context: check.name,
      description: check.title.slice(0, MAX_DESCRIPTION_LENGTH),
      ...(check.url === null ? {} : { target_url: check.url }),
    },
    // The newest status of a name counts.
    repeatable: true,
  });
}
