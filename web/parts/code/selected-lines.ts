/** Selected lines as the fragment of an address: `L10` or `L10-L20`. */

export interface SelectedLines {
  first: number;
  last: number;
}

const LINES = /^L(\d{1,9})(?:-L?(\d{1,9}))?$/;

export function linesOf(hash: string): SelectedLines | undefined {
  const [, one, other = one] = LINES.exec(hash) ?? [];
  if (one === undefined || other === undefined) return undefined;
  const [first, last] = [Number(one), Number(other)].sort((a, b) => a - b) as [number, number];
  return first >= 1 ? { first, last } : undefined;
}

export function hashOf({ first, last }: SelectedLines): string {
  return first === last ? `L${first}` : `L${first}-L${last}`;
}

/** All lines between two selected ones, in either order. */
export function fromTo(one: number, other: number): SelectedLines {
  return { first: Math.min(one, other), last: Math.max(one, other) };
}
