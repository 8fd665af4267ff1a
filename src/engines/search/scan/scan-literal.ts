/** Searches for literal text within this process, as bytes. */
import { findLiteral, isWholeWord, type LiteralText, NotAscii } from '../pattern/literal-text.ts';
import { readPiece } from '../shards/read-piece.ts';
import type { LineMatch, ScanRequest, ScanResult } from './scan-request.ts';

const LINE_FEED = 10;

/**
 * Fills in the result in order until there are enough lines. Texts that aren't indexed are skipped. False when only
 * ripgrep can tell; then the result is as before.
 */
export function scanLiteral(request: ScanRequest, literal: LiteralText, result: ScanResult): boolean {
  const places: (LineMatch[] | undefined)[] = [];
  const missing = new Set<number>();
  try {
    scanTargets(request, literal, places, missing);
  } catch (error) {
    if (error instanceof NotAscii) return false;
    throw error;
  }
  places.forEach((some, index) => {
    result.places[index] = some;
  });
  for (const index of missing) result.missing.add(index);
  return true;
}

function scanTargets(
  request: ScanRequest,
  literal: LiteralText,
  found: (LineMatch[] | undefined)[],
  missing: Set<number>,
): void {
  const { enoughLines, linesPerFile = Number.POSITIVE_INFINITY, set, skipFiles = 0, targets } = request;
  let [lines, skipped] = [0, 0];
  for (let index = 0; index < targets.length && lines < enoughLines; index += 1) {
    const places: LineMatch[] = [];
    found[index] = places;
    const { blob, pieces } = targets[index]!;
    if (!pieces) {
      missing.add(index);
      continue;
    }
    const { local, shard } = set.shardOf(blob);
    for (const piece of pieces) {
      const text = readPiece(shard, local, piece);
      const edges = { isStart: piece.from === piece.line.from, isEnd: piece.to === piece.line.to };
      for (let at = findLiteral(text, literal, 0, edges); at !== -1; ) {
        const end = at + literal.bytes.length;
        const before = at === 0 ? -1 : text.lastIndexOf(LINE_FEED, at - 1);
        const lineStart = before === -1 ? piece.line.from : piece.from + before + 1;
        // Pieces of a line can overlap, which would count a line twice.
        if (places.at(-1)?.lineStart !== lineStart)
          places.push({ lineStart, column: piece.from + at - lineStart, isWord: isWholeWord(text, at, end) });
        const lineEnd = text.indexOf(LINE_FEED, end);
        at = lineEnd === -1 ? -1 : findLiteral(text, literal, lineEnd + 1, edges);
      }
    }
    if (places.length > 0 && skipped < skipFiles) skipped += 1;
    else lines += Math.min(places.length, linesPerFile);
  }
}
