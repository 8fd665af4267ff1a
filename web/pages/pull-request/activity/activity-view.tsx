/** The history of a pull request, newest first. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  CircleCheck,
  CircleDot,
  CircleSlash,
  FileWarning,
  GitCommitHorizontal,
  GitPullRequest,
  type LucideIcon,
  MessageSquare,
  Tag,
  UserRoundCheck,
  UserRoundPlus,
} from 'lucide-react';
import { ErrorState, LoadingRows, ShowMore } from '../../../components/page.tsx';
import { Time } from '../../../components/time.tsx';
import {
  activityQuery,
  membersQuery,
  type PullRequest,
  type PullRequestEvent,
} from '../../../parts/pull-request/pull-request-data.ts';
import { describeEvent } from './describe-event.ts';

export function ActivityView({ pullRequest }: { pullRequest: PullRequest }) {
  const query = useInfiniteQuery(activityQuery(pullRequest.id));
  const { data: people } = useQuery(membersQuery);
  const nameOf = (userId: string) =>
    people?.members.find((member) => member.userId === userId)?.name ?? 'someone';
  if (query.error && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <LoadingRows rows={4} />;
  return (
    <section aria-label="Activity" className="w-full">
      <ol className="relative grid grid-cols-1 gap-4 before:absolute before:inset-y-2 before:left-[0.85rem] before:w-px before:bg-line">
        {query.data.pages
          .flatMap((page) => page.events)
          .map((event) => (
            <Event key={event.number} event={event} pullRequestId={pullRequest.id} nameOf={nameOf} />
          ))}
      </ol>
      <ShowMore pages={query} />
    </section>
  );
}

const ICONS: Record<string, LucideIcon> = {
  pull_request_opened: GitPullRequest,
  pull_request_labels_changed: Tag,
  pull_request_assignees_changed: UserRoundPlus,
  pull_request_pushed: GitCommitHorizontal,
  pull_request_review_requested: UserRoundCheck,
  pull_request_reviewed: CircleCheck,
  pull_request_review_dismissed: CircleSlash,
  pull_request_commented: MessageSquare,
  discussion_opened: MessageSquare,
  discussion_replied: MessageSquare,
  discussion_edited: MessageSquare,
  discussion_status_changed: CircleCheck,
};

/** A review has the icon of its verdict. */
function iconOf({ data, kind }: PullRequestEvent): LucideIcon {
  if (kind === 'pull_request_reviewed' && data.verdict === 'changes_requested') return FileWarning;
  if (kind === 'pull_request_reviewed' && data.verdict === 'commented') return MessageSquare;
  return ICONS[kind] ?? CircleDot;
}

function Event(props: { event: PullRequestEvent; pullRequestId: string; nameOf(userId: string): string }) {
  const { event, nameOf, pullRequestId } = props;
  const { createdAt } = event;
  const { discussion, text } = describeEvent(event, nameOf);
  const Icon = iconOf(event);
  return (
    <li className="relative grid grid-cols-[auto_minmax(0,1fr)] gap-3 text-sm">
      <span className="flex size-7 items-center justify-center rounded-full border border-line bg-page text-quiet">
        <Icon className="size-3.5" aria-hidden="true" />
      </span>
      <p className="min-w-0 pt-0.5 wrap-anywhere">
        <span className="font-medium">{nameOfActor(event)}</span>{' '}
        {discussion ? (
          <Link
            to="/pull-requests/$pullRequestId"
            params={{ pullRequestId }}
            search={{ view: 'files', discussion }}
            className="rounded text-quiet underline decoration-strong-line underline-offset-2 hover:text-accent"
          >
            {text}
          </Link>
        ) : (
          <span className="text-quiet">{text}</span>
        )}{' '}
        <span className="text-xs whitespace-nowrap text-quiet">
          <Time at={createdAt} />
        </span>
      </p>
    </li>
  );
}

/**
 * The service notices pushes and merges in plain git without knowing who made them; of a push, the author of its newest
 * commit is known.
 */
function nameOfActor({ actor, data, kind }: PullRequestEvent): string {
  if (actor.name !== null) return actor.name;
  if (kind === 'pull_request_pushed' && typeof data.author === 'string') return data.author;
  const isNoticed = kind === 'pull_request_pushed' || kind === 'pull_request_state_changed';
  return actor.kind === 'service' && !isNoticed ? 'Countersign' : 'Someone';
}
