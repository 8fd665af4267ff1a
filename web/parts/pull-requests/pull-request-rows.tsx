/** A list of pull requests, two lines each: title and state, then number, branches, author and discussions. */
import { Link } from '@tanstack/react-router';
import { MessageSquare, MessageSquareDot } from 'lucide-react';
import type { Ref } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Time } from '../../components/time.tsx';
import { LIST_ENTRY } from '../../frame/use-list-keys.ts';
import { type PullRequestSummary, StateBadge, VerdictBadge } from './pull-request-state.tsx';
import { StatusMark } from './status-icon.tsx';

const MAX_LABELS = 3;

export function PullRequestRows(props: {
  label: string;
  pullRequests: readonly PullRequestSummary[];
  ref?: Ref<HTMLUListElement>;
  /** Others are being loaded. */
  busy?: boolean;
}) {
  const { busy = false, label, pullRequests, ref } = props;
  return (
    <ul
      ref={ref}
      aria-label={label}
      aria-busy={busy}
      className={`divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised transition-opacity ${busy ? 'opacity-60' : ''}`}
    >
      {pullRequests.map((pullRequest) => (
        <PullRequestRow key={pullRequest.id} pullRequest={pullRequest} />
      ))}
    </ul>
  );
}

function PullRequestRow({ pullRequest }: { pullRequest: PullRequestSummary }) {
  const {
    assignees,
    author,
    baseBranch,
    headBranch,
    id,
    labels,
    number,
    repository,
    state,
    title,
    updatedAt,
    verdict,
  } = pullRequest;
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 px-4 py-2.5 transition-colors hover:bg-sunken">
      <Link
        to="/pull-requests/$pullRequestId"
        params={{ pullRequestId: id }}
        {...LIST_ENTRY}
        className="line-clamp-2 font-medium wrap-anywhere outline-none after:absolute after:inset-0 focus-visible:after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent"
      >
        {title}
      </Link>
      <span className="flex items-start gap-1.5 justify-self-end">
        {/* On a phone there is room for one of them: what people think of an open one says more. */}
        <span className={state === 'open' ? '' : 'max-sm:hidden'}>
          <VerdictBadge state={state} verdict={verdict} />
        </span>
        <span className={verdict && state === 'open' ? 'max-sm:hidden' : ''}>
          <StateBadge state={state} />
        </span>
      </span>
      <p className="min-w-0 text-[0.8125rem] wrap-anywhere text-quiet max-sm:col-span-2 sm:truncate">
        <span className="text-text">
          {repository.name}
          <span className="tabular-nums">#{number}</span>
        </span>
        {' · '}
        {author.name}
        {' · '}
        <span>
          {headBranch} → {baseBranch}
        </span>
        {assignees.length > 0 && <> · assigned to {assignees.map(({ name }) => name).join(', ')}</>}
        {labels.slice(0, MAX_LABELS).map((label) => (
          <span key={label} className="ml-1.5">
            <Badge>{label}</Badge>
          </span>
        ))}
      </p>
      <p className="flex items-center gap-3 text-[0.8125rem] whitespace-nowrap text-quiet max-sm:col-span-2 sm:justify-end">
        {pullRequest.waitingForMe && <Badge kind="warn">Review requested</Badge>}
        <StatusMark state={pullRequest.statusSummary} />
        <Discussions {...pullRequest} />
        <span className="max-sm:order-first sm:min-w-[6.25rem] sm:text-right">
          <Time at={updatedAt} />
        </span>
      </p>
    </li>
  );
}

function Discussions({ comments, openDiscussions }: PullRequestSummary) {
  if (openDiscussions > 0)
    return (
      <span className="inline-flex items-center gap-1 text-warn tabular-nums" title="Open discussions">
        <MessageSquareDot className="size-3.5" aria-hidden="true" />
        {openDiscussions}
        <span className="sr-only">{openDiscussions === 1 ? ' open discussion' : ' open discussions'}</span>
      </span>
    );
  if (comments === 0) return null;
  return (
    <span className="inline-flex items-center gap-1 tabular-nums" title="Comments">
      <MessageSquare className="size-3.5" aria-hidden="true" />
      {comments}
      <span className="sr-only">{comments === 1 ? ' comment' : ' comments'}</span>
    </span>
  );
}
