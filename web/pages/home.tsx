/** The start: what waits for me, the newest plans, and the next steps until all of them are done. */
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CallOutput } from '../api/client.ts';
import { operationQuery, useSession } from '../api/queries.ts';
import { ButtonLink } from '../components/button.tsx';
import { CommandLine } from '../components/copy.tsx';
import { ErrorState, LoadingRows, Page, Section } from '../components/page.tsx';
import { isAdmin } from '../frame/navigation.ts';
import { sayUnread } from '../frame/unread-count.tsx';
import { useListKeys } from '../frame/use-list-keys.ts';
import { InboxRows } from './inbox/inbox-rows.tsx';
import { useMarkRead } from './inbox/use-mark-read.ts';
import { PlanRows } from './plans/plan-rows.tsx';

const MAX_SHOWN = 5;

export function HomePage() {
  const session = useSession();
  const list = useListKeys<HTMLDivElement>('entry');
  const inbox = useQuery(operationQuery('list-inbox', { unread: true, limit: MAX_SHOWN }));
  const plans = useQuery(operationQuery('list-plans', { limit: MAX_SHOWN }));
  const steps = useSteps(plans.data?.plans.length !== 0);
  const hasPlans = (plans.data?.plans.length ?? 0) > 0;
  const waits = (inbox.data?.items.length ?? 0) > 0;
  const failed = [inbox, plans].find(({ data, error }) => error && !data);
  // All at once, so that nothing moves when the next reply comes.
  const loading = inbox.isPending || plans.isPending || steps.loading;
  return (
    <Page
      title={`Welcome, ${session.user.name}`}
      lead={`${hasPlans || waits ? 'What is new' : 'Next steps'} for you in ${session.organization.name}.`}
    >
      {loading && <LoadingRows />}
      {!loading && failed?.error && (
        <div className="mb-10">
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        </div>
      )}
      {!loading && (
        <div ref={list}>
          {(hasPlans || waits) && inbox.data && <Waiting inbox={inbox.data} />}
          {hasPlans && (
            <Section title="Newest plans">
              <PlanRows label="Newest plans" plans={plans.data!.plans} />
              <div>
                <ButtonLink to="/plans">All plans</ButtonLink>
              </div>
            </Section>
          )}
          {!steps.done && (
            <Section title="Next steps">
              <ol className="grid gap-3">{steps.shown}</ol>
            </Section>
          )}
        </div>
      )}
    </Page>
  );
}

function Waiting({ inbox }: { inbox: CallOutput<'list-inbox'> }) {
  const markRead = useMarkRead();
  const { items, unreadCount } = inbox;
  return (
    <Section title="Waiting for you">
      {items.length === 0 ? (
        <p className="rounded-xl border border-line bg-raised px-4 py-3 text-sm text-quiet">
          Nothing: you have read everything in your inbox.
        </p>
      ) : (
        <InboxRows
          label="Waiting for you"
          items={items}
          onRead={(item) => markRead.mutate({ itemIds: [item.id] })}
        />
      )}
      <div>
        <ButtonLink to="/inbox">
          {unreadCount > items.length ? `All ${sayUnread(unreadCount)} unread` : 'Open the inbox'}
        </ButtonLink>
      </div>
    </Section>
  );
}

/** What someone new does first, with what is done already ticked off. */
function useSteps(posted: boolean): { loading: boolean; done: boolean; shown: ReactNode } {
  const admin = isAdmin(useSession());
  const keys = useQuery(operationQuery('list-api-keys', {}));
  const people = useQuery({ ...operationQuery('list-members', { limit: 2 }), enabled: admin });
  const active = keys.data?.keys.filter((key) => key.revokedAt === null) ?? [];
  const used = active.some((key) => key.lastUsedAt !== null);
  const invited = (people.data?.members.length ?? 0) > 1;
  const shown = (
    <>
      <Step
        done={active.length > 0}
        title="Make an API key"
        action={
          <ButtonLink to="/settings/api-keys" look={active.length > 0 ? 'plain' : 'primary'}>
            {active.length > 0 ? 'Your keys' : 'Make a key'}
          </ButtonLink>
        }
      >
        Scripts, CI and agents call the service with a key that acts as you.
      </Step>
      <Step done={used} title="Send a first request">
        Put your key where it says <code className="font-mono text-xs">csk_…</code>; a reply of 204 means that
        it is stored.
        <div className="mt-3">
          <CommandLine label="In a terminal" text={curlLine(location.origin, 'csk_…')} />
        </div>
      </Step>
      <Step done={posted} title="Post a first plan" action={<ButtonLink to="/plans">Plans</ButtonLink>}>
        An agent posts what it wants to do; you comment on it and approve it.
      </Step>
      {admin && (
        <Step
          done={invited}
          title="Invite your team"
          action={<ButtonLink to="/settings/people">People</ButtonLink>}
        >
          Invitations are links: make one for each person and hand it over.
        </Step>
      )}
    </>
  );
  return {
    loading: keys.isPending || (admin && people.isPending),
    done: used && posted && (invited || !admin),
    shown,
  };
}

/** The request that the newcomer sends first. */
export function curlLine(origin: string, key: string): string {
  return `curl -i ${origin}/api/v2/mcp-sessions/events \\
  -H 'x-api-key: ${key}' \\
  -H 'content-type: application/json' \\
  -d '{"sessionId": "0198c1f2-7a3b-7c4d-8e5f-0123456789ab", "eventType": "planner_session_started"}'`;
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
