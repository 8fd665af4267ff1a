/** Turns the reactions to a comment into their API shape. */
import type { z } from 'zod';
import { REACTIONS, type Reactions } from '../contract.ts';
import type { ReactionRow } from '../store/reaction-store.ts';

interface Commented {
  sending: 'none' | 'waiting' | 'sent' | 'failed';
  host_comment_id: string | null;
}

/** Those written on a code host have their reactions there. */
export function takesReactions({ host_comment_id: hostId, sending }: Commented): boolean {
  return hostId === null || sending !== 'none';
}

export function presentReactions(
  comment: Commented,
  rows: readonly ReactionRow[] = [],
): z.input<typeof Reactions> {
  if (!takesReactions(comment)) return null;
  return rows
    .map(({ count, mine, people, reaction }) => ({ reaction, count, people, mine }))
    .sort((one, other) => REACTIONS.indexOf(one.reaction) - REACTIONS.indexOf(other.reaction));
}
