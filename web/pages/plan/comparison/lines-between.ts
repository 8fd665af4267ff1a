/** The blank lines between the parts of a comparison, which belong to no block. Pure. */
import type { WordPiece } from '../../../../src/engines/text/index.ts';

/** A line of the source, with its number on each side where it is known to be. */
export interface Line {
  change: 'same' | 'added' | 'removed';
  before: number | undefined;
  after: number | undefined;
  words: readonly WordPiece[];
}

interface Span {
  start: number;
  end: number;
}

/** Returns a function to call once for each part in order, with its place on each side and the numbers of its first lines. */
export function linesBetween(before: string, after: string) {
  const sides = { before: blanksOf(before), after: blanksOf(after) };
  return (
    spans: { before: Span | null; after: Span | null },
    isMoved: boolean,
    first: { before: number; after: number },
  ): Line[] => {
    const old = isMoved ? undefined : sides.before(spans.before);
    const now = sides.after(spans.after);
    const [olds, nows] = [old ?? now ?? [], now ?? old ?? []];
    const same = Math.min(olds.length, nows.length);
    return Array.from({ length: Math.max(olds.length, nows.length) }, (_, index): Line => {
      const change = index < same ? 'same' : olds.length > same ? 'removed' : 'added';
      return {
        change,
        before: !old || change === 'added' ? undefined : first.before - olds.length + index,
        after: !now || change === 'removed' ? undefined : first.after - nows.length + index,
        words: [{ change: 'same', text: (change === 'removed' ? olds : nows)[index]! }],
      };
    });
  };
}

/** The blank lines before each span of a text; undefined when other text is between it and the previous span. */
function blanksOf(content: string): (span: Span | null) => string[] | undefined {
  let end = 0;
  return (span) => {
    if (!span) return [];
    const between = content.slice(end, Math.max(end, span.start));
    const isFollowing = span.start >= end && between.trim() === '';
    const startsLine = end === 0 || content[end - 1] === '\n';
    end = span.end;
    if (!isFollowing) return undefined;
    // The first piece ends the previous line, and the last one begins the next.
    return between.split(/\r?\n/).slice(startsLine ? 0 : 1, -1);
  };
}
