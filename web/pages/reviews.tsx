/** The review queue: plans that need my review, and my plans with requested changes. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type CallInput, call } from '../api/client.ts';
import { useSession } from '../api/queries.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { EmptyState, ErrorState, Page, Section } from '../components/page.tsx';
import { useListKeys } from '../frame/use-list-keys.ts';
import { LoadingPlanRows, PlanRows } from './plans/plan-rows.tsx';

const PAGE_LENGTH = 25;

export function ReviewsPage() {
  const { user } = useSession();
  const list = useListKeys<HTMLDivElement>('plan');
  return (
    <Page title="Reviews" lead="Plans that need your review, and your plans with changes requested.">
      <div ref={list}>
        <Queue title="Needs your review" filter={{ review: 'needs_my_review' }}>
          <EmptyState title="Nothing to review" action={<ButtonLink to="/plans">All plans</ButtonLink>}>
            Plans appear here when someone requests your review.
          </EmptyState>
        </Queue>
        <Queue
          title="Changes requested on your plans"
          filter={{ review: 'changes_requested', authorId: user.id }}
        />
      </div>
    </Page>
  );
}

/** Without plans it renders its children, or nothing. */
function Queue(props: { title: string; filter: CallInput<'list-plans'>; children?: ReactNode }) {
  const { children, filter, title } = props;
  const found = useInfiniteQuery({
    queryKey: ['list-plans', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('list-plans', { ...filter, cursor: pageParam, limit: PAGE_LENGTH }, { signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  const plans = found.data?.pages.flatMap((page) => page.plans) ?? [];
  if (found.data && plans.length === 0 && !children) return null;
  return (
    <Section title={title}>
      {found.error && !found.data && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.error && <LoadingPlanRows rows={3} />}
      {found.data && plans.length === 0 && children}
      {plans.length > 0 && <PlanRows label={title} plans={plans} />}
      {found.hasNextPage && (
        <Button
          className="justify-self-center"
          busy={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </Section>
  );
}
