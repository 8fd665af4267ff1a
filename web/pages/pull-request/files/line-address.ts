/** Lines of a file in an address: `R3-5` on the new side, `L3` on the old one. Pure. */
import type { LineSelection } from '../diff/line-selection.ts';

export function writeLines({ first, last, side }: Omit<LineSelection, 'path'>): string {
  const start = `${side === 'new' ? 'R' : 'L'}${first}`;
  return first === last ? start : `${start}-${last}`;
}

export function readLines(path: string, text: string | undefined): LineSelection | undefined {
  const [, sign, start, end = start] = /^([LR])(\d+)(?:-(\d+))?$/.exec(text ?? '') ?? [];
  if (start === undefined) return undefined;
  const [one, other] = [Number(start), Number(end)];
  return {
    path,
    side: sign === 'R' ? 'new' : 'old',
    first: Math.min(one, other),
    last: Math.max(one, other),
  };
}
