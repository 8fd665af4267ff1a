/** A pull request: its conversation, its commits, and its changes with the review discussions between the lines. */
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { ApiProblem } from '../api/client.ts';
import { ButtonLink } from '../components/button.tsx';
import { EmptyState, ErrorState, Page } from '../components/page.tsx';
import { filesQuery, pullRequestQuery } from '../parts/pull-request/pull-request-data.ts';
import { discussionsQuery } from '../parts/pull-request/threads/discussion-data.ts';
import { ReferencesIn } from '../parts/references/references-in.tsx';
import { PullRequestSkeleton } from './pull-request/pull-request-skeleton.tsx';
import { PullRequestView } from './pull-request/pull-request-view.tsx';

export function PullRequestPage() {
  const { pullRequestId } = useParams({ from: '/signed-in/pull-requests/$pullRequestId' });
  const search = useSearch({ from: '/signed-in/pull-requests/$pullRequestId' });
  const { data, error, refetch } = useQuery(pullRequestQuery(pullRequestId));
  // At the same time as the pull request, not after it.
  usePrefetchQuery(discussionsQuery(pullRequestId));
  useQuery({
    ...filesQuery(pullRequestId, {}),
    enabled: search.view === 'files' && !search.from && !search.to,
  });
  // An address that isn't a valid ID gets a validation error rather than a 404.
  if (error instanceof ApiProblem && [400, 404].includes(error.status))
    return (
      <Page title="Pull request not found">
        <EmptyState
          title="There is no such pull request"
          action={<ButtonLink to="/pull-requests">All pull requests</ButtonLink>}
        >
          It may be in a repository that you can’t see.
        </EmptyState>
      </Page>
    );
  if (data)
    return (
      <ReferencesIn repositoryId={data.repository.id}>
        <PullRequestView key={pullRequestId} pullRequest={data} search={search} />
      </ReferencesIn>
    );
  if (error)
    return (
      <div className="mx-auto max-w-4xl p-8">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </div>
    );
  return <PullRequestSkeleton isWide={search.view === 'files'} />;
}
