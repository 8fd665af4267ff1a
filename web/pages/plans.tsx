/** Plans of the organization, most recently updated first, with filters that are part of the address. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { EmptyState, ErrorState, Page } from '../components/page.tsx';
import { useListKeys } from '../frame/use-list-keys.ts';
import { LoadingPlanRows, PlanRows } from '../parts/plans/plan-rows.tsx';
import { PostAPlan } from '../parts/plans/post-a-plan.tsx';
import { ClearFilters, PlanFilters } from './plans/plan-filters.tsx';

const PAGE_LENGTH = 50;

export function PlansPage() {
  const search = useSearch({ from: '/signed-in/plans' });
  const list = useListKeys<HTMLUListElement>('plan');
  const found = useInfiniteQuery({
    queryKey: ['list-plans', search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('list-plans', { ...search, cursor: pageParam, limit: PAGE_LENGTH }, { signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const plans = found.data?.pages.flatMap((page) => page.plans) ?? [];
  const filtered = Object.keys(search).length > 0;
  return (
    <Page title="Plans" lead="Plans from your coding agents, most recently updated first.">
      <PlanFilters
        search={search}
        plans={plans}
        onLeave={() => list.current?.querySelector<HTMLElement>('[data-list-entry]')?.focus()}
      />
      {found.error && !found.data && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.error && <LoadingPlanRows />}
      {found.data && plans.length === 0 && (filtered ? <NothingMatches /> : <PostAPlan />)}
      {plans.length > 0 && <PlanRows ref={list} label="Plans" plans={plans} busy={found.isPlaceholderData} />}
      <p role="status" className="sr-only">
        {found.data && filtered && !found.isPlaceholderData && formatCount(plans.length, found.hasNextPage)}
      </p>
      {found.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Page>
  );
}

function NothingMatches() {
  return (
    <EmptyState title="No matching plans" action={<ClearFilters />}>
      Search matches the beginning of words in titles and content.
    </EmptyState>
  );
}

function formatCount(count: number, more: boolean): string {
  if (more) return `Showing the first ${count} plans.`;
  return count === 1 ? '1 plan' : `${count} plans`;
}
