/** Splits two sequences at the tokens that occur exactly once in each, for texts that changed a lot. */

/**
 * A part of both sequences that has not been compared yet: `[beforeStart, beforeEnd, afterStart, afterEnd]`, and the size
 * of the smallest enclosing part in which unique tokens were already searched for.
 */
export type Box = readonly [number, number, number, number, number];

/** Every token is below `numbers`. The splitter returns the parts between unique tokens, or none if there are no such tokens. */
export function makeUniqueSplitter(before: Int32Array, after: Int32Array, numbers: number) {
  const beforeCounts = new Int32Array(numbers);
  const afterCounts = new Int32Array(numbers);
  const afterPlaces = new Int32Array(numbers);

  return ([left, leftEnd, right, rightEnd, size]: Box, steps: { left: number }): Box[] => {
    steps.left -= 4 * size;
    for (let index = left; index < leftEnd; index += 1) beforeCounts[before[index]!]! += 1;
    for (let index = right; index < rightEnd; index += 1) {
      afterCounts[after[index]!]! += 1;
      afterPlaces[after[index]!] = index;
    }
    const lefts = new Int32Array(leftEnd - left);
    const rights = new Int32Array(leftEnd - left);
    let count = 0;
    for (let index = left; index < leftEnd; index += 1) {
      const token = before[index]!;
      if (beforeCounts[token] !== 1 || afterCounts[token] !== 1) continue;
      lefts[count] = index;
      rights[count] = afterPlaces[token]!;
      count += 1;
    }
    for (let index = left; index < leftEnd; index += 1) beforeCounts[before[index]!] = 0;
    for (let index = right; index < rightEnd; index += 1) afterCounts[after[index]!] = 0;
    if (count === 0) return [];

    const parts: Box[] = [];
    let [fromLeft, fromRight] = [left, right];
    for (const index of longestRising(rights.subarray(0, count))) {
      const [toLeft, toRight] = [lefts[index]!, rights[index]!];
      if (toLeft > fromLeft || toRight > fromRight) parts.push([fromLeft, toLeft, fromRight, toRight, size]);
      [fromLeft, fromRight] = [toLeft + 1, toRight + 1];
    }
    parts.push([fromLeft, leftEnd, fromRight, rightEnd, size]);
    return parts;
  };
}

/** The indexes of the longest increasing subsequence; values are distinct. */
function longestRising(values: Int32Array): Int32Array {
  const tails = new Int32Array(values.length);
  const previous = new Int32Array(values.length);
  let length = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]!;
    let low = 0;
    let high = length;
    // Usually the order is unchanged, and the value is appended.
    if (length > 0 && values[tails[length - 1]!]! < value) low = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[tails[middle]!]! < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? tails[low - 1]! : -1;
    tails[low] = index;
    if (low === length) length += 1;
  }
  const rising = new Int32Array(length);
  let index = tails[length - 1] ?? -1;
  for (let place = length - 1; place >= 0; place -= 1) {
    rising[place] = index;
    index = previous[index]!;
  }
  return rising;
}
