/** The conversation in order of time: comments, verdicts, pushes, discussions, and what was done to the pull request. Pure. */
import type { Head, PullRequest, PullRequestComment } from '../../../parts/pull-request/pull-request-data.ts';
import type { Discussion } from '../../../parts/pull-request/threads/discussion-data.ts';
import { describeMerge, describePush, describeTimelineEvent, type Line } from './describe-timeline.ts';

export type Entry =
  | { kind: 'comment'; at: string; key: string; comment: PullRequestComment }
  | { kind: 'verdict'; at: string; key: string; verdict: PullRequest['verdicts'][number] }
  | { kind: 'push'; at: string; key: string; line: Line; head: Head; before: Head }
  | { kind: 'line'; at: string; key: string; line: Line; revert?: { id: string; number: number } }
  | { kind: 'deleted'; at: string; key: string; deleted: PullRequest['deletedComments'][number] }
  | { kind: 'discussion'; at: string; key: string; discussion: Discussion };

type Facts = Pick<
  PullRequest,
  | 'baseBranch'
  | 'conversation'
  | 'deletedComments'
  | 'heads'
  | 'merge'
  | 'mergedAt'
  | 'origin'
  | 'revertedBy'
  | 'state'
  | 'timeline'
  | 'verdicts'
>;

export function timelineOf(facts: Facts, discussions: readonly Discussion[]): Entry[] {
  const { conversation, deletedComments, verdicts } = facts;
  const entries: Entry[] = [
    ...conversation.map(
      (comment): Entry => ({ kind: 'comment', at: comment.createdAt, key: comment.id, comment }),
    ),
    ...deletedComments.map(
      (deleted): Entry => ({ kind: 'deleted', at: deleted.createdAt, key: deleted.id, deleted }),
    ),
    ...verdicts.map(
      (verdict): Entry => ({ kind: 'verdict', at: verdict.createdAt, key: verdict.id, verdict }),
    ),
    ...pushesOf(facts),
    ...linesOf(facts),
    ...discussions.map(
      (discussion): Entry => ({
        kind: 'discussion',
        at: discussion.createdAt,
        key: discussion.id,
        discussion,
      }),
    ),
  ];
  return entries.sort((one, other) => one.at.localeCompare(other.at));
}

/** Heads are kept longer than the events that say who pushed them. */
function pushesOf({ baseBranch, heads, merge, origin, timeline }: Facts): Entry[] {
  const said = new Map(
    timeline.flatMap((event) =>
      event.kind === 'pull_request_pushed' ? [[event.data.position, event] as const] : [],
    ),
  );
  return heads.slice(1).map((head, index) => {
    const before = heads[index]!;
    const event = said.get(head.position);
    const known = event && describeTimelineEvent(event, { baseBranch, merge, origin });
    const forced = head.forced ?? false;
    const line = known ?? describePush(null, { headCommit: head.commit, from: before.commit, forced });
    return { kind: 'push', at: head.seenAt, key: `push ${head.position}`, line, head, before };
  });
}

/** Who merged it, and whether the rule was bypassed, is said for ever, also after its events were deleted. */
function linesOf({ baseBranch, merge, mergedAt, origin, revertedBy, state, timeline }: Facts): Entry[] {
  const lines = timeline.flatMap((event): Entry[] => {
    const line =
      event.kind === 'pull_request_pushed'
        ? undefined
        : describeTimelineEvent(event, { baseBranch, merge, origin });
    return line ? [{ kind: 'line', at: event.createdAt, key: `event ${event.number}`, line }] : [];
  });
  const isSaid = lines.some((entry) => entry.kind === 'line' && entry.line.icon === 'merged');
  if (state === 'merged' && mergedAt !== null && !isSaid) {
    const line =
      merge?.state === 'merged'
        ? describeMerge(merge, baseBranch)
        : { icon: 'merged' as const, who: null, text: `Merged into ${baseBranch}` };
    lines.push({ kind: 'line', at: mergedAt, key: 'merged', line });
  }
  if (revertedBy) {
    const { author, createdAt: at, id, number } = revertedBy;
    const line = { icon: 'reverted' as const, who: author, text: REVERTS[revertedBy.state] };
    lines.push({ kind: 'line', at, key: 'reverted', line, revert: { id, number } });
  }
  return lines;
}

const REVERTS: Record<NonNullable<PullRequest['revertedBy']>['state'], string> = {
  open: 'opened a revert of this:',
  draft: 'opened a revert of this:',
  merged: 'reverted this with',
  closed: 'opened a revert of this, which was closed:',
};
