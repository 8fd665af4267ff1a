/** Home: what needs my attention, the latest plans, and the first steps until all of them are done. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CallOutput } from '../api/client.ts';
import { operationQuery, useSession } from '../api/queries.ts';
import { ButtonLink } from '../components/button.tsx';
import { ErrorState, LoadingRows, Page, Section } from '../components/page.tsx';
import { formatBadgeCount } from '../frame/nav-counts.tsx';
import { useListKeys } from '../frame/use-list-keys.ts';
import { groupUnread } from '../parts/inbox/group-unread.ts';
import { InboxRows } from '../parts/inbox/inbox-rows.tsx';
import { useMarkRead } from '../parts/inbox/use-mark-read.ts';
import { PlanRows } from '../parts/plans/plan-rows.tsx';
import { PullRequestRows } from '../parts/pull-requests/pull-request-rows.tsx';
import { FirstSteps } from './home/first-steps.tsx';
import { useFirstSteps } from './home/use-first-steps.tsx';

const MAX_SHOWN = 5;
/** How often the page polls until the first plan arrives. */
const FIRST_PLAN_MS = 3000;

export function HomePage() {
  const session = useSession();
  const list = useListKeys<HTMLDivElement>('entry');
  const inbox = useQuery(operationQuery('list-inbox', { unread: true, limit: MAX_SHOWN }));
  const latest = useQuery({
    ...operationQuery('list-plans', { limit: MAX_SHOWN }),
    refetchInterval: ({ state }) => (state.data?.plans.length === 0 ? FIRST_PLAN_MS : false),
  });
  const toReview = useQuery(operationQuery('list-plans', { review: 'needs_my_review', limit: MAX_SHOWN }));
  const toRevise = useQuery(
    operationQuery('list-plans', {
      review: 'changes_requested',
      authorId: session.user.id,
      limit: MAX_SHOWN,
    }),
  );
  const pullRequests = useQuery(operationQuery('list-pull-requests', { scope: 'waiting', limit: MAX_SHOWN }));
  const ownPullRequests = useQuery(operationQuery('list-pull-requests', { scope: 'mine', limit: MAX_SHOWN }));
  const plans = latest.data?.plans ?? [];
  const steps = useFirstSteps(plans[0]);
  const queries = [inbox, latest, toReview, toRevise, pullRequests, ownPullRequests];
  const failed = queries.find(({ data, error }) => error && !data);
  // All at once, so that nothing moves when the next reply arrives.
  const isLoading = steps.isLoading || queries.some(({ isPending }) => isPending);
  const hasNews =
    plans.length > 0 ||
    (ownPullRequests.data?.pullRequests.length ?? 0) > 0 ||
    (inbox.data?.items.length ?? 0) > 0;
  return (
    <Page
      title={`Welcome, ${session.user.name}`}
      lead={
        hasNews
          ? `What’s new in ${session.organization.name}.`
          : `Get started with ${session.organization.name}.`
      }
    >
      {isLoading && <LoadingRows />}
      {!isLoading && failed?.error && (
        <div className="mb-10">
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        </div>
      )}
      {!isLoading && (
        <div ref={list}>
          <PullRequestSection title="Pull requests waiting for your review" page={pullRequests.data}>
            <ButtonLink to="/pull-requests" search={{ scope: 'waiting' }}>
              All pull requests waiting for you
            </ButtonLink>
          </PullRequestSection>
          <PlanSection title="Plans waiting for your review" page={toReview.data}>
            <ButtonLink to="/reviews">Open review queue</ButtonLink>
          </PlanSection>
          <PlanSection title="Changes requested on your plans" page={toRevise.data} />
          {hasNews && inbox.data && <Unread inbox={inbox.data} />}
          <PullRequestSection title="Your pull requests" page={ownPullRequests.data} />
          <PlanSection title="Recently updated plans" page={latest.data}>
            <ButtonLink to="/plans">All plans</ButtonLink>
          </PlanSection>
          {!steps.isDone && (
            <Section title="Get started">
              <FirstSteps steps={steps.steps} />
            </Section>
          )}
        </div>
      )}
    </Page>
  );
}

function PlanSection(props: {
  title: string;
  page: CallOutput<'list-plans'> | undefined;
  children?: ReactNode;
}) {
  const { children, page, title } = props;
  if (!page || page.plans.length === 0) return null;
  return (
    <Section title={title}>
      <PlanRows label={title} plans={page.plans} />
      {children && <div>{children}</div>}
    </Section>
  );
}

function PullRequestSection(props: {
  title: string;
  page: CallOutput<'list-pull-requests'> | undefined;
  children?: ReactNode;
}) {
  const { children, page, title } = props;
  if (!page || page.pullRequests.length === 0) return null;
  return (
    <Section title={title}>
      <PullRequestRows label={title} pullRequests={page.pullRequests} />
      {children && <div>{children}</div>}
    </Section>
  );
}

function Unread({ inbox }: { inbox: CallOutput<'list-inbox'> }) {
  const markRead = useMarkRead();
  const { items, unreadCount } = inbox;
  return (
    <Section title="Unread">
      {items.length === 0 ? (
        <p className="rounded-xl border border-line bg-raised px-4 py-3 text-sm text-quiet">
          You’re all caught up.
        </p>
      ) : (
        <InboxRows
          label="Unread"
          groups={groupUnread(items)}
          onRead={(input, isOpened) => markRead.mutate({ ...input, isOpened })}
        />
      )}
      <div>
        <ButtonLink to="/inbox">
          {unreadCount > items.length ? `All ${formatBadgeCount(unreadCount)} unread` : 'Open inbox'}
        </ButtonLink>
      </div>
    </Section>
  );
}
