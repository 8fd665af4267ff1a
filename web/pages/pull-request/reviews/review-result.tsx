/** Shows whether the automatic review of a pull request is running, and its conclusion. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, ScanSearch } from 'lucide-react';
import type { CallOutput } from '../../../api/client.ts';
import { operationQuery } from '../../../api/queries.ts';
import { Spinner } from '../../../components/spinner.tsx';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

export type Run = CallOutput<'list-review-runs'>['runs'][number];

const ASK_AGAIN_MS = 1500;

export const reviewRunsQuery = (pullRequestId: string) =>
  operationQuery('list-review-runs', { pullRequestId });

/** The reviews of a pull request, asked for again while one is queued or running. */
export function useReviewRuns(pullRequestId: string) {
  return useQuery({
    ...reviewRunsQuery(pullRequestId),
    refetchInterval: ({ state }) => (state.data?.due ? ASK_AGAIN_MS : false),
  });
}

export function Reviewing({ pullRequestId }: { pullRequestId: string }) {
  const { data } = useReviewRuns(pullRequestId);
  if (!data?.due) return null;
  return (
    <p role="status" className="flex items-center gap-2 text-sm text-quiet">
      <Spinner /> Reviewing…
    </p>
  );
}

/** The conclusion of the newest review of what is shown; a review that found nothing leaves it as its only trace. */
export function ReviewResult({ pullRequest }: { pullRequest: PullRequest }) {
  const { headCommit, id } = pullRequest;
  const { data } = useReviewRuns(id);
  if (!data) return null;
  if (data.due) return <Reviewing pullRequestId={id} />;
  const automatic = data.runs.filter(({ trigger }) => trigger !== 'agent');
  const [newest] = automatic;
  if (!newest || newest.headCommit !== headCommit) return null;
  const isClean = newest.state === 'done' && newest.findings === 0;
  const Icon = isClean ? CircleCheck : ScanSearch;
  return (
    <p role="status" className="flex items-center gap-2 text-sm text-quiet">
      <Icon className={`size-4 shrink-0 ${isClean ? 'text-good' : ''}`} aria-hidden="true" />
      <span className="min-w-0 wrap-anywhere">
        Automatic review: {describeResult(newest, automatic.length === 1)}.{' '}
        <Link
          to="/pull-requests/$pullRequestId"
          params={{ pullRequestId: id }}
          search={{ view: 'reviews' }}
          className="text-accent underline underline-offset-2"
        >
          Details
        </Link>
      </span>
    </p>
  );
}

export function describeResult(
  { files, findings, problem, state }: Pick<Run, 'files' | 'findings' | 'problem' | 'state'>,
  isFirst: boolean,
): string {
  if (state === 'failed') return 'failed';
  if (state === 'skipped') return `skipped: ${problem ?? ''}`;
  if (findings > 0) return findings === 1 ? '1 finding' : `${findings} findings`;
  return `no ${isFirst ? '' : 'new '}problems found in ${files === 1 ? '1 file' : `${files} files`}`;
}
