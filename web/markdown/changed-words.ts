/** Finds the words of a changed line that differ from the line that it replaced. Pure. */
import { compareWords } from '../../src/engines/text/index.ts';

export interface Part {
  start: number;
  end: number;
}

/** Longer lines are compared as a whole. */
const MAX_LENGTH = 1000;
/** Lines with less in common were rewritten: marking words in them only adds noise. */
const MIN_IN_COMMON = 0.3;

const NONE: readonly Part[] = [];

/** The parts of the line before and of the line after; empty if the whole line counts as changed. */
export function changedWords(before: string, after: string): [readonly Part[], readonly Part[]] {
  const longest = Math.max(before.length, after.length);
  if (longest > MAX_LENGTH) return [NONE, NONE];
  const { pieces } = compareWords(before, after);
  const same = pieces.reduce(
    (sum, { change, text }) => sum + (change === 'same' ? text.trim().length : 0),
    0,
  );
  if (same < MIN_IN_COMMON * longest) return [NONE, NONE];
  const removed: Part[] = [];
  const added: Part[] = [];
  let [left, right] = [0, 0];
  for (const { change, text } of pieces) {
    if (change === 'removed') removed.push(...partOf(text, left));
    if (change === 'added') added.push(...partOf(text, right));
    if (change !== 'added') left += text.length;
    if (change !== 'removed') right += text.length;
  }
  // Space that changed along with words isn't marked.
  const isWord = (text: string) => (part: Part) => text.slice(part.start, part.end).trim() !== '';
  if (!removed.some(isWord(before)) && !added.some(isWord(after))) return [removed, added];
  return [removed.filter(isWord(before)), added.filter(isWord(after))];
}

/** Without the space around it; where only space changed, that. */
function partOf(text: string, at: number): Part[] {
  const word = text.trim();
  const start = at + (word === '' ? 0 : text.indexOf(word));
  return [{ start, end: start + (word === '' ? text.length : word.length) }];
}
