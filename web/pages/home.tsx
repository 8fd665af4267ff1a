/** Home: what needs my attention, the latest plans, and the first steps until all of them are done. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CallOutput } from '../api/client.ts';
import { operationQuery, useSession } from '../api/queries.ts';
import { ButtonLink } from '../components/button.tsx';
import { ErrorState, LoadingRows, Page, Section } from '../components/page.tsx';
import { Spinner } from '../components/spinner.tsx';
import { formatBadgeCount } from '../frame/nav-counts.tsx';
import { isAdmin } from '../frame/navigation.ts';
import { useListKeys } from '../frame/use-list-keys.ts';
import { InboxRows } from './inbox/inbox-rows.tsx';
import { useMarkRead } from './inbox/use-mark-read.ts';
import { PlanRows } from './plans/plan-rows.tsx';
import { PostPlanCommand } from './plans/post-a-plan.tsx';
import { PullRequestRows } from './pull-requests/pull-request-rows.tsx';

const MAX_SHOWN = 5;
/** How often the page polls until the first plan arrives. */
const FIRST_PLAN_MS = 3000;

type Plans = CallOutput<'list-plans'>['plans'];

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
  const steps = useSteps(plans);
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
              <ol className="grid gap-3">{steps.shown}</ol>
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
          items={items}
          onRead={(item, isOpened) => markRead.mutate({ itemIds: [item.id], isOpened })}
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

/** The first steps of a new user; finished ones are checked. */
function useSteps(plans: Plans): { isLoading: boolean; isDone: boolean; shown: ReactNode } {
  const session = useSession();
  const admin = isAdmin(session);
  const keys = useQuery(operationQuery('list-api-keys', {}));
  const people = useQuery({ ...operationQuery('list-members', { limit: 2 }), enabled: admin });
  const hasKey = keys.data?.keys.some((key) => key.revokedAt === null) ?? false;
  const hasTeam = (people.data?.members.length ?? 0) > 1;
  const [first] = plans;
  const shown = (
    <>
      <Step
        done={hasKey}
        title="Create an API key"
        action={
          <ButtonLink to="/settings/api-keys" look={hasKey ? 'plain' : 'primary'}>
            {hasKey ? 'Manage keys' : 'Create API key'}
          </ButtonLink>
        }
      >
        Agents, CI and scripts use it to act on your behalf.
      </Step>
      <Step done={first !== undefined} title="Post your first plan">
        {first ? (
          <>
            Posted:{' '}
            <Link
              to="/plans/$seriesId"
              params={{ seriesId: first.seriesId }}
              className="rounded font-medium text-accent underline"
            >
              {first.title}
            </Link>
          </>
        ) : (
          <>
            Run this in a terminal, with your key in place of <code className="font-mono text-xs">csk_…</code>
            . Agents do the same over MCP.
            <div className="mt-3 grid gap-3">
              <PostPlanCommand label="In a terminal" apiKey="csk_…" />
              <p role="status" className="flex items-center gap-2">
                <Spinner /> Waiting for your first plan. It appears here when it arrives.
              </p>
            </div>
          </>
        )}
      </Step>
      {admin && (
        <Step
          done={hasTeam}
          title="Invite your team"
          action={<ButtonLink to="/settings/people">People</ButtonLink>}
        >
          Create an invitation link for each person and share it.
        </Step>
      )}
    </>
  );
  return {
    isLoading: keys.isPending || (admin && people.isPending),
    isDone: hasKey && first !== undefined && (hasTeam || !admin),
    shown,
  };
}

function Step({
  done,
  title,
  action,
  children,
}: {
  done: boolean;
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className="rounded-xl border border-line bg-raised p-5">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-3">
        {done ? (
          <CircleCheck className="mt-0.5 size-5 shrink-0 text-good" aria-label="Done" />
        ) : (
          <CircleDashed className="mt-0.5 size-5 shrink-0 text-quiet" aria-label="To do" />
        )}
        <div className="min-w-0 flex-1 basis-[calc(100%-3rem)] sm:basis-56">
          <h2 className="font-semibold">{title}</h2>
          <div className="text-sm text-quiet">{children}</div>
        </div>
        {action && <div className="ml-8 grid min-w-28 sm:ml-0">{action}</div>}
      </div>
    </li>
  );
}
