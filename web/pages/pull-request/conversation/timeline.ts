/** The conversation in order of time: general comments, verdicts, pushes and discussions. Pure. */
import type { Head, PullRequest, PullRequestComment } from '../../../parts/pull-request/pull-request-data.ts';
import type { Discussion } from '../../../parts/pull-request/threads/discussion-data.ts';

export type Entry =
  | { kind: 'comment'; at: string; key: string; comment: PullRequestComment }
  | { kind: 'verdict'; at: string; key: string; verdict: PullRequest['verdicts'][number] }
  | { kind: 'push'; at: string; key: string; head: Head; before: Head }
  | { kind: 'deleted'; at: string; key: string; deleted: PullRequest['deletedComments'][number] }
  | { kind: 'discussion'; at: string; key: string; discussion: Discussion };

export function timelineOf(
  {
    conversation,
    deletedComments,
    heads,
    verdicts,
  }: Pick<PullRequest, 'conversation' | 'deletedComments' | 'heads' | 'verdicts'>,
  discussions: readonly Discussion[],
): Entry[] {
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
    ...heads.slice(1).map(
      (head, index): Entry => ({
        kind: 'push',
        at: head.seenAt,
        key: `push ${head.position}`,
        head,
        before: heads[index]!,
      }),
    ),
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
