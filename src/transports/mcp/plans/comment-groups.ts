/** Groups a plan's threads by what an agent should do with them. */
import type { ThreadComment } from './read-threads.ts';

/** Most urgent first. */
export const COMMENT_GROUPS = ['recommended', 'awaitingTriage', 'alreadyReplied', 'skipped'] as const;
type CommentGroup = (typeof COMMENT_GROUPS)[number];

/** A value for each group. */
export function inGroups<Value>(value: (group: CommentGroup) => Value): Record<CommentGroup, Value> {
  return {
    recommended: value('recommended'),
    awaitingTriage: value('awaitingTriage'),
    alreadyReplied: value('alreadyReplied'),
    skipped: value('skipped'),
  };
}

export interface Thread {
  group: CommentGroup;
  first: ThreadComment;
  /** The first comment and its replies, oldest first. */
  comments: ThreadComment[];
  isMuted: boolean;
}

/** Sorted by group, then oldest first. */
export function groupThreads(
  comments: readonly ThreadComment[],
  mutedThreadIds: readonly string[],
): Thread[] {
  const muted = new Set(mutedThreadIds);
  const byThread = Map.groupBy(comments, ({ threadId }) => threadId);
  const threads = [...byThread].flatMap(([threadId, members]): Thread[] => {
    const first = members.find(({ id }) => id === threadId);
    // The first comment was not read: leave out the incomplete thread.
    if (!first) return [];
    const ordered = members.toSorted(byAge);
    return [{ group: groupOf(first, members), first, comments: ordered, isMuted: muted.has(threadId) }];
  });
  return threads.toSorted(
    (left, right) =>
      COMMENT_GROUPS.indexOf(left.group) - COMMENT_GROUPS.indexOf(right.group) ||
      byAge(left.first, right.first),
  );
}

function groupOf(first: ThreadComment, members: readonly ThreadComment[]): CommentGroup {
  if (first.triageState === 'dismissed') return 'skipped';
  if (members.length > 1) return 'alreadyReplied';
  return first.triageState === 'open' ? 'recommended' : 'awaitingTriage';
}

function byAge(left: ThreadComment, right: ThreadComment): number {
  if (left.createdAt !== right.createdAt) return left.createdAt < right.createdAt ? -1 : 1;
  return left.id < right.id ? -1 : 1;
}

/** People comment in the browser; comments posted with a key or token come from agents and scripts. */
export function writerOf({ authorKind }: Pick<ThreadComment, 'authorKind'>): 'person' | 'agent' {
  return authorKind === 'session' ? 'person' : 'agent';
}
