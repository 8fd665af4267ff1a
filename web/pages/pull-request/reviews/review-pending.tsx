/** Says that a review of the pull request is queued or running, until it is done. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../../api/queries.ts';
import { Spinner } from '../../../components/spinner.tsx';

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

export function ReviewPending({ pullRequestId }: { pullRequestId: string }) {
  const { data } = useReviewRuns(pullRequestId);
  if (!data?.due) return null;
  return (
    <p role="status" className="flex items-center gap-2 text-sm text-quiet">
      <Spinner /> Reviewing…
    </p>
  );
}
