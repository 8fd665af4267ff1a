/** Searches for literal text within this process, as bytes. */
import { readPiece } from './read-piece.ts';
import type { LineMatch, ScanRequest, ScanResult } from './scan-request.ts';

const LINE_FEED = 10;

/** Fills in the result in order until there are enough lines. Texts that aren't indexed are skipped. */
export function scanLiteral(
  { enoughLines, set, targets }: ScanRequest,
  literal: Buffer,
  result: ScanResult,
): void {
  let lines = 0;
  for (let index = 0; index < targets.length && lines < enoughLines; index += 1) {
    const places: LineMatch[] = [];
    result.places[index] = places;
    const { blob, pieces } = targets[index]!;
    if (!pieces) {
      result.missing.add(index);
      continue;
    }
    const { local, shard } = set.shardOf(blob);
    for (const piece of pieces) {
      const text = readPiece(shard, local, piece);
      for (let at = text.indexOf(literal); at !== -1; ) {
        const before = at === 0 ? -1 : text.lastIndexOf(LINE_FEED, at - 1);
        const lineStart = before === -1 ? piece.line.from : piece.from + before + 1;
        // Pieces of a line can overlap, which would count a line twice.
        if (places.at(-1)?.lineStart !== lineStart)
          places.push({ lineStart, column: piece.from + at - lineStart });
        const lineEnd = text.indexOf(LINE_FEED, at + literal.length);
        at = lineEnd === -1 ? -1 : text.indexOf(literal, lineEnd + 1);
      }
    }
    lines += places.length;
  }
}
