/** Computes the difference of two sequences in near-linear time for any input. */

import { type Box, makeUniqueSplitter } from './unique-split.ts';

/** `before[beforeStart..beforeEnd)` became `after[afterStart..afterEnd)`; one of the two may be empty. */
export interface Hunk {
  beforeStart: number;
  beforeEnd: number;
  afterStart: number;
  afterEnd: number;
}

/** Half the number of differences up to which the result is guaranteed to be minimal; beyond it, a good split is used. */
const MINIMAL_DEPTH = 128;

/** The same limit after half of the allowed work, so that the rest is still compared, if less precisely. */
const HURRIED_DEPTH = 16;

/** Steps of work allowed per token. Only adversarial input reaches this limit; the rest then counts as changed. */
const STEPS_PER_TOKEN = 64;

const UNREACHED = -0x40000000;

/**
 * Assigns equal numbers, starting at 0, to equal strings across all lists. Where a list continues like the first one,
 * strings are compared directly instead of being looked up, because most of a revised text is unchanged.
 */
export function internTokens(...lists: ReadonlyArray<readonly string[]>): Int32Array[] {
  const numbers = new Map<string, number>();
  const guide = lists[0] ?? [];
  /** The first position of each number in the first list. */
  const places: number[] = [];
  const sequences = lists.map((list) => new Int32Array(list.length));
  for (const [which, list] of lists.entries()) {
    const sequence = sequences[which]!;
    let next = 0;
    for (let index = 0; index < list.length; index += 1) {
      const token = list[index]!;
      if (which > 0) {
        if (token !== guide[next] && token === guide[next + 1]) next += 1;
        if (token === guide[next]) {
          sequence[index] = sequences[0]![next]!;
          next += 1;
          continue;
        }
      }
      let number = numbers.get(token);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(token, number);
        if (which === 0) places.push(index);
      } else if (number < places.length) next = places[number]! + 1;
      sequence[index] = number;
    }
  }
  return sequences;
}

/** The changed parts in order; everything between two hunks is equal, and no two hunks touch. */
export function diffSequences(before: ArrayLike<number>, after: ArrayLike<number>): Hunk[] {
  let start = 0;
  let beforeEnd = before.length;
  let afterEnd = after.length;
  while (start < beforeEnd && start < afterEnd && before[start] === after[start]) start += 1;
  while (beforeEnd > start && afterEnd > start && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd -= 1;
    afterEnd -= 1;
  }
  if (start === beforeEnd && start === afterEnd) return [];
  if (start === beforeEnd || start === afterEnd) {
    return [{ beforeStart: start, beforeEnd, afterStart: start, afterEnd }];
  }
  const sides = numberFromZero(slice(before, start, beforeEnd), slice(after, start, afterEnd));
  const kept = keepShared(sides.before, sides.after, sides.numbers);
  const changed = findChanges(kept.before.tokens, kept.after.tokens, sides.numbers);
  return readHunks(
    spread(changed.before, kept.before.places, beforeEnd - start),
    spread(changed.after, kept.after.places, afterEnd - start),
    start,
  );
}

function slice(sequence: ArrayLike<number>, start: number, end: number): ArrayLike<number> {
  return sequence instanceof Int32Array
    ? sequence.subarray(start, end)
    : Array.prototype.slice.call(sequence, start, end);
}

/** Tokens as numbers below `numbers`, so that they can index an array; those of internTokens mostly are already. */
function numberFromZero(before: ArrayLike<number>, after: ArrayLike<number>) {
  if (before instanceof Int32Array && after instanceof Int32Array) {
    let [least, greatest] = [0, 0];
    for (const side of [before, after]) {
      for (let index = 0; index < side.length; index += 1) {
        const token = side[index]!;
        if (token > greatest) greatest = token;
        else if (token < least) least = token;
      }
    }
    const affordable = 8 * (before.length + after.length) + 1024;
    if (least === 0 && greatest < affordable) return { before, after, numbers: greatest + 1 };
  }
  const numbers = new Map<number, number>();
  const renumber = (side: ArrayLike<number>) =>
    Int32Array.from(side, (token) => {
      const number = numbers.get(token) ?? numbers.size;
      numbers.set(token, number);
      return number;
    });
  return { before: renumber(before), after: renumber(after), numbers: numbers.size };
}

/**
 * Leaves out tokens that occur on one side only. They are certainly changed, and without them, two texts that have
 * nothing in common cost nothing.
 */
function keepShared(before: Int32Array, after: Int32Array, numbers: number) {
  const sides = new Uint8Array(numbers);
  for (let index = 0; index < before.length; index += 1) sides[before[index]!] = 1;
  for (let index = 0; index < after.length; index += 1) sides[after[index]!]! |= 2;
  const keep = (sequence: Int32Array) => {
    const tokens = new Int32Array(sequence.length);
    const places = new Int32Array(sequence.length);
    let length = 0;
    for (let index = 0; index < sequence.length; index += 1) {
      if (sides[sequence[index]!] !== 3) continue;
      tokens[length] = sequence[index]!;
      places[length] = index;
      length += 1;
    }
    return { tokens: tokens.subarray(0, length), places: places.subarray(0, length) };
  };
  return { before: keep(before), after: keep(after) };
}

/** Maps the marks of the kept tokens to their positions in the whole sequence, where all others are changed. */
function spread(changed: Uint8Array, places: Int32Array, length: number): Uint8Array {
  const whole = new Uint8Array(length).fill(1);
  for (let index = 0; index < places.length; index += 1) whole[places[index]!] = changed[index]!;
  return whole;
}

function readHunks(beforeChanged: Uint8Array, afterChanged: Uint8Array, offset: number): Hunk[] {
  const hunks: Hunk[] = [];
  let left = 0;
  let right = 0;
  while (left < beforeChanged.length || right < afterChanged.length) {
    const beforeStart = left;
    const afterStart = right;
    while (beforeChanged[left] === 1) left += 1;
    while (afterChanged[right] === 1) right += 1;
    if (left > beforeStart || right > afterStart) {
      hunks.push({
        beforeStart: beforeStart + offset,
        beforeEnd: left + offset,
        afterStart: afterStart + offset,
        afterEnd: right + offset,
      });
    }
    while (beforeChanged[left] === 0 && afterChanged[right] === 0) {
      left += 1;
      right += 1;
    }
  }
  return hunks;
}

function findChanges(before: Int32Array, after: Int32Array, numbers: number) {
  const beforeChanged = new Uint8Array(before.length);
  const afterChanged = new Uint8Array(after.length);
  const split = makeSplitter(before, after);
  const splitAtUnique = makeUniqueSplitter(before, after, numbers);
  const allowed = STEPS_PER_TOKEN * (before.length + after.length);
  // The minimum is for short sequences, where the search costs more than their length.
  const steps = { left: Math.max(allowed, 8 * MINIMAL_DEPTH ** 2) };
  const boxes: Box[] = [[0, before.length, 0, after.length, Number.POSITIVE_INFINITY]];
  for (let box = boxes.pop(); box; box = boxes.pop()) {
    let [left, leftEnd, right, rightEnd, searchedSize] = box;
    while (left < leftEnd && right < rightEnd && before[left] === after[right]) {
      left += 1;
      right += 1;
    }
    while (leftEnd > left && rightEnd > right && before[leftEnd - 1] === after[rightEnd - 1]) {
      leftEnd -= 1;
      rightEnd -= 1;
    }
    if (left === leftEnd || right === rightEnd || steps.left <= 0) {
      beforeChanged.fill(1, left, leftEnd);
      afterChanged.fill(1, right, rightEnd);
      continue;
    }
    const middle = split(
      [left, leftEnd, right, rightEnd, searchedSize],
      steps,
      steps.left > allowed / 2 ? MINIMAL_DEPTH : HURRIED_DEPTH,
    );
    const size = leftEnd - left + rightEnd - right;
    if (!middle.minimal && size <= searchedSize / 2) {
      // Searched for only each time the size has halved, so that all searches together stay near-linear.
      const parts = splitAtUnique([left, leftEnd, right, rightEnd, size], steps);
      for (const part of parts) boxes.push(part);
      if (parts.length > 0) continue;
      searchedSize = size;
    }
    boxes.push(
      [left, middle.left, right, middle.right, searchedSize],
      [middle.left, leftEnd, middle.right, rightEnd, searchedSize],
    );
  }
  return { before: beforeChanged, after: afterChanged };
}

/**
 * Myers' bidirectional search for a point on a shortest path. Beyond `maxDepth`, it returns the point that got farthest,
 * which is a good split but may not be on a shortest path. The box must differ at both ends, and neither side can be empty.
 */
function makeSplitter(before: Int32Array, after: Int32Array) {
  // Diagonals run from -(MINIMAL_DEPTH + 1) to MINIMAL_DEPTH + 1, so that a neighbor can always be read.
  const zero = MINIMAL_DEPTH + 1;
  const forward = new Int32Array(2 * zero + 1);
  const backward = new Int32Array(2 * zero + 1);

  return ([left, leftEnd, right, rightEnd]: Box, steps: { left: number }, maxDepth: number) => {
    const width = leftEnd - left;
    const height = rightEnd - right;
    const delta = width - height;
    const odd = (delta & 1) === 1 || (delta & 1) === -1;
    forward.fill(UNREACHED);
    backward.fill(UNREACHED);
    let furthest = { left, right, sum: 0 };

    for (let depth = 0; depth <= maxDepth; depth += 1) {
      steps.left -= 2 * depth + 2;
      for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
        let x = reach(forward, zero + diagonal, diagonal, depth, width, height);
        if (x < 0) continue;
        const from = x;
        while (x < width && x - diagonal < height && before[left + x] === after[right + x - diagonal]) x += 1;
        steps.left -= x - from;
        forward[zero + diagonal] = x;
        const opposite = delta - diagonal;
        if (odd && opposite > -depth && opposite < depth && x + backward[zero + opposite]! >= width) {
          return { left: left + x, right: right + x - diagonal, minimal: true };
        }
        if (2 * x - diagonal > furthest.sum) {
          furthest = { left: left + x, right: right + x - diagonal, sum: 2 * x - diagonal };
        }
      }
      for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
        let x = reach(backward, zero + diagonal, diagonal, depth, width, height);
        if (x < 0) continue;
        const from = x;
        while (
          x < width &&
          x - diagonal < height &&
          before[leftEnd - 1 - x] === after[rightEnd - 1 - x + diagonal]
        ) {
          x += 1;
        }
        steps.left -= x - from;
        backward[zero + diagonal] = x;
        const opposite = delta - diagonal;
        if (!odd && opposite >= -depth && opposite <= depth && x + forward[zero + opposite]! >= width) {
          return { left: leftEnd - x, right: rightEnd - x + diagonal, minimal: true };
        }
        if (2 * x - diagonal > furthest.sum) {
          furthest = { left: leftEnd - x, right: rightEnd - x + diagonal, sum: 2 * x - diagonal };
        }
      }
    }
    return { left: furthest.left, right: furthest.right, minimal: false };
  };
}

/** How far a diagonal gets with one more step from its neighbors; negative if it is outside the box. */
function reach(
  row: Int32Array,
  index: number,
  diagonal: number,
  depth: number,
  width: number,
  height: number,
): number {
  if (depth === 0) return 0;
  const across = row[index - 1]! + 1;
  const down = row[index + 1]!;
  const x = Math.max(across <= width ? across : UNREACHED, down - diagonal <= height ? down : UNREACHED);
  if (x < 0) row[index] = UNREACHED;
  return x;
}
