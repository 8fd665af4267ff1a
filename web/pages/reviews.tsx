/** The review queue: plans and pull requests that need my review, and my plans with requested changes. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type CallInput, call } from '../api/client.ts';
import { useSession } from '../api/queries.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { EmptyState, ErrorState, Page, Section } from '../components/page.tsx';
import { useListKeys } from '../frame/use-list-keys.ts';
import { LoadingPlanRows, PlanRows } from '../parts/plans/plan-rows.tsx';
import { PullRequestRows } from '../parts/pull-requests/pull-request-rows.tsx';

const PAGE_LENGTH = 25;

export function ReviewsPage() {
  const { user } = useSession();
  const list = useListKeys<HTMLDivElement>('entry');
  const toReview = usePlans({ review: 'needs_my_review' });
  const toRevise = usePlans({ review: 'changes_requested', authorId: user.id });
  const pullRequests = usePullRequests({ scope: 'waiting' });
  const isEmpty = [toReview, toRevise, pullRequests].every(({ entries }) => entries?.length === 0);
  return (
    <Page
      title="To review"
      lead="Plans and pull requests that need your review, and your plans with changes requested."
    >
      <div ref={list}>
        <Queue title="Plans that need your review" queue={toReview}>
          {(title, plans) => <PlanRows label={title} plans={plans} />}
        </Queue>
        <Queue title="Pull requests that need your review" queue={pullRequests}>
          {(title, found) => <PullRequestRows label={title} pullRequests={found} />}
        </Queue>
        <Queue title="Changes requested on your plans" queue={toRevise}>
          {(title, plans) => <PlanRows label={title} plans={plans} />}
        </Queue>
        {isEmpty && (
          <EmptyState title="Nothing to review" action={<ButtonLink to="/plans">All plans</ButtonLink>}>
            Plans and pull requests appear here when someone requests your review.
          </EmptyState>
        )}
      </div>
    </Page>
  );
}

interface QueueOf<Entry> {
  /** Undefined until they are loaded. */
  entries: Entry[] | undefined;
  error: Error | null;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
  refetch(): unknown;
}

function usePlans(filter: CallInput<'list-plans'>) {
  const found = useInfiniteQuery({
    queryKey: ['list-plans', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('list-plans', { ...filter, cursor: pageParam, limit: PAGE_LENGTH }, { signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  return { ...found, entries: found.data?.pages.flatMap(({ plans }) => plans) };
}

function usePullRequests(filter: CallInput<'list-pull-requests'>) {
  const found = useInfiniteQuery({
    queryKey: ['list-pull-requests', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('list-pull-requests', { ...filter, cursor: pageParam, limit: PAGE_LENGTH }, { signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  return { ...found, entries: found.data?.pages.flatMap(({ pullRequests }) => pullRequests) };
}

/** Nothing when it is empty. */
function Queue<Entry>(props: {
  title: string;
  queue: QueueOf<Entry>;
  children: (title: string, entries: Entry[]) => ReactNode;
}) {
  const { children, queue, title } = props;
  const { entries, error, hasNextPage, isFetchingNextPage } = queue;
  if (entries?.length === 0) return null;
  return (
    <Section title={title}>
      {error && !entries && <ErrorState error={error} onRetry={() => void queue.refetch()} />}
      {!entries && !error && <LoadingPlanRows rows={3} />}
      {entries && children(title, entries)}
      {hasNextPage && (
        <Button
          className="justify-self-center"
          busy={isFetchingNextPage}
          onClick={() => void queue.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </Section>
  );
}
