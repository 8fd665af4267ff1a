/** The difference of two short texts by word or by line. Pure. */

export interface WordChange {
  change: 'same' | 'added' | 'removed';
  text: string;
}

const WORDS = /\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu;
/** Beyond that many comparisons the middle is shown as replaced. */
const MAX_COMPARISONS = 160_000;

export function compareWords(before: string, after: string): WordChange[] {
  return joined(compareParts(before.match(WORDS) ?? [], after.match(WORDS) ?? []));
}

/** One entry a line, without its end. */
export function compareLines(before: string, after: string): WordChange[] {
  return compareParts(before.split(/\r?\n/), after.split(/\r?\n/));
}

function compareParts(old: string[], now: string[]): WordChange[] {
  const alike = (one: number, other: number) => old[one] === now[other];
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && alike(head, head)) head += 1;
  let tail = 0;
  while (tail < most - head && alike(old.length - 1 - tail, now.length - 1 - tail)) tail += 1;
  const oldMiddle = old.slice(head, old.length - tail);
  const nowMiddle = now.slice(head, now.length - tail);
  const middle =
    oldMiddle.length * nowMiddle.length > MAX_COMPARISONS
      ? replaced(oldMiddle, nowMiddle)
      : compareMiddle(oldMiddle, nowMiddle);
  return [...marked('same', old.slice(0, head)), ...middle, ...marked('same', old.slice(old.length - tail))];
}

function replaced(old: string[], now: string[]): WordChange[] {
  return [...marked('removed', old), ...marked('added', now)];
}

function marked(change: WordChange['change'], parts: string[]): WordChange[] {
  return parts.map((text) => ({ change, text }));
}

/** The longest common run of words, by the usual table. */
function compareMiddle(old: string[], now: string[]): WordChange[] {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      lengths[at] =
        old[row] === now[column]
          ? lengths[at + width + 1]! + 1
          : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  const changes: WordChange[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const at = row * width + column;
    if (row < old.length && column < now.length && old[row] === now[column]) {
      changes.push({ change: 'same', text: old[row]! });
      row += 1;
      column += 1;
    } else if (column === now.length || (row < old.length && lengths[at + width]! >= lengths[at + 1]!)) {
      changes.push({ change: 'removed', text: old[row]! });
      row += 1;
    } else {
      changes.push({ change: 'added', text: now[column]! });
      column += 1;
    }
  }
  return changes;
}

/**
 * Neighbours of one kind as one, what went before what came. A space alone between two changes changes with them: shown as
 * the same, it would cut a phrase into single words.
 */
function joined(changes: readonly WordChange[]): WordChange[] {
  const result: WordChange[] = [];
  let [removed, added] = ['', ''];
  let space = '';
  const flush = () => {
    if (removed) result.push({ change: 'removed', text: removed });
    if (added) result.push({ change: 'added', text: added });
    if (space) addSame(result, space);
    [removed, added, space] = ['', '', ''];
  };
  for (const { change, text } of changes) {
    if (change !== 'same') {
      removed += space + (change === 'removed' ? text : '');
      added += space + (change === 'added' ? text : '');
      space = '';
    } else if ((removed || added) && text.trim() === '') space += text;
    else {
      flush();
      addSame(result, text);
    }
  }
  flush();
  return result;
}

function addSame(result: WordChange[], text: string): void {
  const last = result.at(-1);
  if (last?.change === 'same') last.text += text;
  else result.push({ change: 'same', text });
}
