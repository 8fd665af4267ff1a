/**
 * Chooses the changes that can answer a discussion. Pure. Normally all since the commit that was commented on; but after a person
 * reopened the discussion or objected, only those after the head of that time, because the person has seen that one.
 */
import { findObjection } from '../../engines/addressed/index.ts';
import type { CommentRow, DiscussionRow } from './discussion-store.ts';

export interface FollowFrom {
  /** The position of the head to follow it from; null for the commit that was commented on. */
  position: number | null;
  /** Comments up to this time are about earlier heads. */
  after: Date | null;
}

export function followFrom(
  discussion: Pick<DiscussionRow, 'status' | 'status_cause' | 'status_at' | 'judged_from'>,
  comments: readonly Pick<CommentRow, 'author_kind' | 'body' | 'created_at' | 'edited_at'>[],
  heads: readonly { position: number; seen_at: Date }[],
): FollowFrom {
  const { judged_from: judgedFrom, status, status_at: statusAt, status_cause: cause } = discussion;
  const isReopened = status === 'open' && cause === 'person';
  const objected = comments.slice(1).filter((comment) => isObjection(comment));
  const objection = objected
    .map(saidAt)
    .sort((one, other) => one.getTime() - other.getTime())
    .at(-1);
  if (objection && (!isReopened || objection > statusAt)) {
    const seen = heads.filter(({ seen_at: at }) => at <= objection).map(({ position }) => position);
    return { position: seen.length > 0 ? Math.max(...seen) : null, after: objection };
  }
  return isReopened ? { position: judgedFrom, after: statusAt } : { position: null, after: null };
}

/** A person who edits a comment has seen the head at that time. */
export function saidAt({ created_at, edited_at }: Pick<CommentRow, 'created_at' | 'edited_at'>): Date {
  return edited_at ?? created_at;
}

function isObjection({ author_kind: kind, body }: Pick<CommentRow, 'author_kind' | 'body'>): boolean {
  return kind === 'person' && findObjection([{ body, isPerson: true }]) !== undefined;
}
