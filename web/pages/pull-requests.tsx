/** Pull requests of the organization, most recently updated first, with filters that are part of the address. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { useSession } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { EmptyState, ErrorState, Page, ShowMore } from '../components/page.tsx';
import { useListKeys } from '../frame/use-list-keys.ts';
import { LoadingPlanRows } from '../parts/plans/plan-rows.tsx';
import { PullRequestRows } from '../parts/pull-requests/pull-request-rows.tsx';
import { OpenPullRequest } from './pull-requests/open-pull-request.tsx';
import { ClearFilters, PullRequestFilters } from './pull-requests/pull-request-filters.tsx';

const PAGE_LENGTH = 50;

export function PullRequestsPage() {
  const search = useSearch({ from: '/signed-in/pull-requests' });
  const { role } = useSession();
  const [isOpening, setIsOpening] = useState(false);
  const list = useListKeys<HTMLUListElement>('pull request');
  const found = useInfiniteQuery({
    queryKey: ['list-pull-requests', search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('list-pull-requests', { ...search, cursor: pageParam, limit: PAGE_LENGTH }, { signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const pullRequests = found.data?.pages.flatMap((page) => page.pullRequests) ?? [];
  const filtered = Object.keys(search).length > 0;
  const mayOpen = role !== 'viewer';
  return (
    <Page
      title="Pull requests"
      lead="Changes to review in your repositories, most recently updated first."
      actions={mayOpen && <Button onClick={() => setIsOpening(true)}>Open pull request</Button>}
    >
      <PullRequestFilters
        search={search}
        onLeave={() => list.current?.querySelector<HTMLElement>('[data-list-entry]')?.focus()}
      />
      {found.error && !found.data && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.error && <LoadingPlanRows />}
      {found.data && pullRequests.length === 0 && (
        <Nothing filtered={filtered} onOpen={mayOpen ? () => setIsOpening(true) : undefined} />
      )}
      {pullRequests.length > 0 && (
        <PullRequestRows
          ref={list}
          label="Pull requests"
          pullRequests={pullRequests}
          busy={found.isPlaceholderData}
        />
      )}
      <p role="status" className="sr-only">
        {found.data &&
          filtered &&
          !found.isPlaceholderData &&
          formatCount(pullRequests.length, found.hasNextPage)}
      </p>
      <ShowMore pages={found} />
      <OpenPullRequest
        open={isOpening}
        repositoryId={search.repositoryId}
        onClose={() => setIsOpening(false)}
      />
    </Page>
  );
}

function Nothing({ filtered, onOpen }: { filtered: boolean; onOpen: (() => void) | undefined }) {
  if (filtered) return <EmptyState title="No matching pull requests" action={<ClearFilters />} />;
  return (
    <EmptyState
      title="No open pull requests"
      action={onOpen && <Button onClick={onOpen}>Open pull request</Button>}
    >
      Open one between two branches of a repository here, with{' '}
      <code className="font-mono text-xs">countersign pull-request open</code>, or let an agent open one.
    </EmptyState>
  );
}

function formatCount(count: number, more: boolean): string {
  if (more) return `Showing the first ${count} pull requests.`;
  return count === 1 ? '1 pull request' : `${count} pull requests`;
}
