/** Finds what links a comment to the changes near it. Without a link, no change is taken for an answer. */
import { appliedExactly } from './applied-exactly.ts';
import type { CommentContext, Evidence } from './comment-context.ts';
import { named, phrased, stated, vanished, worded } from './matching-words.ts';
import { removed, renamed, replaced, spelled, suggestionApplied } from './requested-changes.ts';
import { explained, tested } from './requested-text.ts';
import { deleted, rewritten } from './rewritten-code.ts';

/** The surest first. */
const SEARCHES = [
  ...[suggestionApplied, replaced, removed, deleted, renamed, spelled],
  ...[stated, named, vanished, explained, tested, phrased, worded, rewritten],
];

export function findEvidence(context: CommentContext): Evidence[] {
  const exact = appliedExactly(context);
  const found =
    context.near.length === 0 && !context.request.asks.has('test')
      ? []
      : SEARCHES.map((search) => search(context)).filter((each) => each !== undefined);
  return exact ? [exact, ...found] : found;
}
