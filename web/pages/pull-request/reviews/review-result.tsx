/** Shows whether the automatic review of a pull request is running, and its conclusion. */
import { useQuery } from '@tanstack/react-query';
import type { CallOutput } from '../../../api/client.ts';
import { operationQuery } from '../../../api/queries.ts';
import { Spinner } from '../../../components/spinner.tsx';

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

/** The conclusion of a review, as the header and the list of reviews say it. */
export function describeResult(
  { files, findings, problem, state }: Pick<Run, 'files' | 'findings' | 'problem' | 'state'>,
  isFirst: boolean,
): string {
  if (state === 'failed') return 'failed';
  if (state === 'skipped') return `skipped: ${problem ?? ''}`;
  if (findings > 0) return findings === 1 ? '1 finding' : `${findings} findings`;
  return `no ${isFirst ? '' : 'new '}problems found in ${files === 1 ? '1 file' : `${files} files`}`;
}
