/** Finds names and words that some changes brought into the code, and those that they took out of it. */
import { countAll, partsOf, surplus, tokensOf } from './code-words.ts';

/** Words of further lines aren't counted. */
const MAX_LINES = 2_000;

export interface WordChanges {
  /** Tokens, as they are in the code. */
  gained: Map<string, number>;
  lost: Map<string, number>;
  /** Stems of their parts. */
  gainedParts: Map<string, number>;
  lostParts: Map<string, number>;
}

export function wordChanges(
  changes: ReadonlyArray<{ removed: readonly string[]; added: readonly string[] }>,
): WordChanges {
  const count = (lines: string[]) => countAll(lines.slice(0, MAX_LINES).flatMap(tokensOf));
  const before = count(changes.flatMap(({ removed }) => removed));
  const after = count(changes.flatMap(({ added }) => added));
  const [gained, lost] = [surplus(after, before), surplus(before, after)];
  const [partsAfter, partsBefore] = [countParts(gained), countParts(lost)];
  return {
    gained,
    lost,
    gainedParts: surplus(partsAfter, partsBefore),
    lostParts: surplus(partsBefore, partsAfter),
  };
}

function countParts(tokens: Map<string, number>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [token, count] of tokens) {
    for (const part of partsOf(token)) counts.set(part, (counts.get(part) ?? 0) + count);
  }
  return counts;
}
