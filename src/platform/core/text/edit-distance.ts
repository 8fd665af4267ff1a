/** The number of typos between two words, to suggest what a misspelled one meant. */

/** Letters to insert, remove, replace or swap with their neighbor. */
export function editDistance(left: string, right: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          previous[column]! + 1,
          current[column - 1]! + 1,
          previous[column - 1]! + (same ? 0 : 1),
          swapped ? before[column - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = previous;
    previous = current;
  }
  return previous[right.length]!;
}
