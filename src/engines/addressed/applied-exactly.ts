/** Whether a suggestion was applied word for word. Unlike other evidence it counts for code that was only moved: a suggestion can be a new order. */
import { diffSequences, type Hunk, internTokens } from '../text/index.ts';
import { type CommentContext, type Evidence, NEAR } from './comment-context.ts';
import type { CodeComparison } from './compare-code.ts';

/**
 * It was, if its lines are where it puts them, and the file is nearer to what the suggestion makes of the commented one than to that
 * itself: then other edits explain the rest.
 */
export function appliedExactly({ code, request }: CommentContext): Evidence | undefined {
  const changes = code.changes.filter(({ distance }) => distance <= NEAR);
  const isApplied = changes.length > 0 && request.suggestions.some((lines) => hasApplied(code, lines));
  const closest = changes.filter(({ distance }) => distance <= 1);
  return isApplied
    ? {
        ...{ kind: 'suggestion', found: [], share: 1, isCertain: true },
        changes: closest.length > 0 ? closest : changes,
      }
    : undefined;
}

function hasApplied({ after, before, changes, end, start }: CodeComparison, lines: string[]): boolean {
  const suggested = before.toSpliced(start, end - start, ...lines);
  const [left, right] = internTokens(suggested, after);
  const rest = diffSequences(left!, right!);
  if (countLines(rest) >= countLines(changes)) return false;
  const from = Math.max(0, placeAfter(rest, start, 'start') - lines.length);
  const to = placeAfter(rest, start + lines.length, 'end') + lines.length;
  const now = after.slice(from, to);
  return now.some((_, at) => lines.every((line, index) => now[at + index] === line)) || lines.length === 0;
}

function countLines(hunks: readonly Hunk[]): number {
  return hunks.reduce(
    (sum, { afterEnd, afterStart, beforeEnd, beforeStart }) =>
      sum + (beforeEnd - beforeStart) + (afterEnd - afterStart),
    0,
  );
}

/** Where a line is after the changes; in changed lines, where those begin or end. */
function placeAfter(hunks: readonly Hunk[], line: number, edge: 'start' | 'end'): number {
  let shift = 0;
  for (const { afterEnd, afterStart, beforeEnd, beforeStart } of hunks) {
    if (beforeStart > line) break;
    if (beforeEnd >= line) return edge === 'start' ? afterStart : Math.max(afterEnd, line + shift);
    shift = afterEnd - beforeEnd;
  }
  return line + shift;
}
