/** Keeps one comment up to date: it is edited in place, and looked for before another is written. */
import { isHostError } from './host-error.ts';
import { MAX_SUMMARY_SEARCH } from './limits.ts';
import { collect } from './pages.ts';
import type { Account, CommentRef, Summary } from './port.ts';

export interface SummaryPlace {
  /** The general comments. */
  comments(): AsyncIterable<{ id: string; body: string; author: Pick<Account, 'id'> | null }>;
  /** Our own account: a comment of others that contains the marker is not ours. */
  ownAccountId(): Promise<string>;
  edit(id: string, body: string): Promise<void>;
  create(body: string): Promise<string>;
}

export async function keepSummary(
  place: SummaryPlace,
  { body, commentId, marker }: Summary,
): Promise<CommentRef> {
  if (commentId !== null && (await editIfThere(place, commentId, body)))
    return { kind: 'conversation', id: commentId };
  const ownId = await place.ownAccountId();
  const { items } = await collect(place.comments(), MAX_SUMMARY_SEARCH);
  const earlier = items.find((comment) => comment.author?.id === ownId && comment.body.includes(marker));
  if (earlier && (await editIfThere(place, earlier.id, body)))
    return { kind: 'conversation', id: earlier.id };
  return { kind: 'conversation', id: await place.create(body) };
}

/** False if somebody deleted it. */
async function editIfThere(place: SummaryPlace, id: string, body: string): Promise<boolean> {
  try {
    await place.edit(id, body);
    return true;
  } catch (error) {
    if (isHostError(error, 'not_found')) return false;
    throw error;
  }
}
