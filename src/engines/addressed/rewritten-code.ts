/** Evidence in what happened to the commented lines themselves: they were deleted, or largely rewritten. */
import { isName, partsOf, tokensOf } from './code-words.ts';
import type { CommentContext, Evidence } from './comment-context.ts';
import { wordChanges } from './word-changes.ts';

/** All the commented lines are gone, so that nothing is left to do; unless the comment asks to keep them. */
export function deleted({ request, lost, touching }: CommentContext): Evidence | undefined {
  if (!lost.isDeleted || request.asks.has('keep')) return undefined;
  return { kind: 'deleted', found: [], share: 1, isCertain: true, changes: touching };
}

/** With less of the lines gone, an edit is about anything. */
export const MIN_REWRITTEN = 0.1;

/** This share of the new names must be known, and at least two of them: "new" or "return" is in every file. */
const MIN_KNOWN = 0.4;

/** Something that only went from the line may be all that these ask for. */
const SHORTENS = ['remove', 'format', 'nit', 'spell'] as const;

/**
 * Much of the commented lines is gone, and what came continues the code: most of its names are from the file or the comment,
 * or resemble those that went. Code that has nothing to do with either doesn't count.
 */
export function rewritten({
  request,
  code,
  file,
  region,
  lost,
  touching,
}: CommentContext): Evidence | undefined {
  if (request.asks.has('keep')) return undefined;
  const evidence = { found: [], share: lost.share, isCertain: false, changes: touching };
  const fresh = [...(lost.isRearranged ? file : wordChanges(touching)).gained.keys()].filter(isName);
  if (fresh.length === 0 && lost.share > 0 && SHORTENS.some((ask) => request.asks.has(ask))) {
    return { kind: 'shortened', ...evidence };
  }
  if (lost.share < MIN_REWRITTEN || lost.isRenamedThroughout) return undefined;
  const names = new Set(code.before.flatMap(tokensOf));
  const parts = new Set([...request.words, ...region.flatMap(tokensOf).flatMap(partsOf)]);
  const known = fresh.filter(
    (name) => names.has(name) || request.names.has(name) || partsOf(name).some((part) => parts.has(part)),
  );
  const isContinued =
    known.length === fresh.length || (known.length >= 2 && known.length >= fresh.length * MIN_KNOWN);
  return isContinued ? { kind: 'rewritten', ...evidence } : undefined;
}
