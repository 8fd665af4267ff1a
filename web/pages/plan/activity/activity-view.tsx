/** The history of the plan, overlapping plans, and the agent's session. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  Bot,
  CircleDot,
  FilePlus2,
  FileWarning,
  GitPullRequest,
  type LucideIcon,
  MessageSquare,
  ThumbsUp,
  UserRoundCheck,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import { ErrorState } from '../../../components/page.tsx';
import { Time } from '../../../components/time.tsx';
import { activityQuery, membersQuery, type Plan, type PlanEvent } from '../plan-data.ts';
import { TextSkeleton } from '../text-skeleton.tsx';
import { describeEvent } from './describe-event.ts';
import { OverlappingPlans } from './overlapping-plans.tsx';
import { SessionFacts } from './session-facts.tsx';
import { UnnamedConsumers } from './unnamed-consumers.tsx';

export function ActivityView({ plan }: { plan: Plan }) {
  return (
    <div className="mx-auto grid max-w-5xl grid-cols-1 items-start gap-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <section aria-label="Activity">
        <Activity seriesId={plan.seriesId} />
      </section>
      <div className="grid grid-cols-1 gap-8">
        <OverlappingPlans seriesId={plan.seriesId} />
        <UnnamedConsumers plan={plan} />
        <SessionFacts session={plan.session} />
      </div>
    </div>
  );
}

function Activity({ seriesId }: { seriesId: string }) {
  const query = useInfiniteQuery(activityQuery(seriesId));
  const { data: members } = useQuery(membersQuery);
  const nameOf = (userId: string) =>
    members?.members.find((member) => member.userId === userId)?.name ?? 'someone';
  if (query.error && !query.data) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (!query.data) return <TextSkeleton />;
  const events = query.data.pages.flatMap((page) => page.events);
  return (
    <>
      <ol className="relative grid grid-cols-1 gap-4 before:absolute before:inset-y-2 before:left-[0.85rem] before:w-px before:bg-line">
        {events.map((event) => (
          <Event key={event.number} event={event} seriesId={seriesId} nameOf={nameOf} />
        ))}
      </ol>
      {query.hasNextPage && (
        <Button className="mt-5" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older
        </Button>
      )}
    </>
  );
}

const ICONS: Record<string, LucideIcon> = {
  plan_created: FilePlus2,
  version_added: FilePlus2,
  approved: ThumbsUp,
  changes_requested: FileWarning,
  review_requested: UserRoundCheck,
  comment_added: MessageSquare,
  comment_edited: MessageSquare,
  comment_triaged: MessageSquare,
  comments_addressed: MessageSquare,
  pull_request_linked: GitPullRequest,
};

function Event(props: { event: PlanEvent; seriesId: string; nameOf(userId: string): string }) {
  const { event, nameOf, seriesId } = props;
  const { actor, createdAt, kind } = event;
  const { note, text, thread, version } = describeEvent(event, nameOf);
  const Icon = ICONS[kind] ?? CircleDot;
  return (
    <li className="relative grid grid-cols-[auto_minmax(0,1fr)] gap-3 text-sm">
      <span className="flex size-7 items-center justify-center rounded-full border border-line bg-page text-quiet">
        <Icon className="size-3.5" aria-hidden="true" />
      </span>
      <div className="min-w-0 pt-0.5">
        <p className="wrap-anywhere">
          <span className="font-medium">
            {actor.kind === 'service' ? 'Countersign' : (actor.name ?? 'Someone')}
          </span>{' '}
          <EventText seriesId={seriesId} thread={thread} version={version}>
            {text}
          </EventText>{' '}
          <span className="text-xs whitespace-nowrap text-quiet">
            <Time at={createdAt} />
            <How kind={actor.kind} />
          </span>
        </p>
        {note && (
          <p className="mt-1 border-l-2 border-line pl-3 wrap-anywhere whitespace-pre-wrap text-quiet">
            {note}
          </p>
        )}
      </div>
    </li>
  );
}

/** The sentence, as a link if there is something to show. */
function EventText(props: { seriesId: string; thread?: string; version?: number; children: ReactNode }) {
  const { children, seriesId, thread, version } = props;
  if (thread === undefined && version === undefined) return <span className="text-quiet">{children}</span>;
  return (
    <Link
      to="/plans/$seriesId"
      params={{ seriesId }}
      search={thread === undefined ? { version } : { thread }}
      className="rounded text-quiet underline decoration-strong-line underline-offset-2 hover:text-accent"
    >
      {children}
    </Link>
  );
}

/** Marks what an agent did, with an API key or as a signed-in agent. */
function How({ kind }: { kind: PlanEvent['actor']['kind'] }) {
  if (kind !== 'key' && kind !== 'oauth') return null;
  const name = kind === 'key' ? 'with an API key' : 'by a signed-in agent';
  return (
    <span title={name} className="ml-1.5 inline-flex translate-y-0.5">
      <Bot className="size-3.5" aria-hidden="true" />
      <span className="sr-only">{name}</span>
    </span>
  );
}
