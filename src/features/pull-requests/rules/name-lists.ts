/** Names and counts in sentences. Pure. */

const MAX_NAMES = 3;

/** `Ann`, `Ann and Bo`, `Ann, Bo, Cy and 2 others`. */
export function describeNames(names: readonly string[], word: 'and' | 'or' = 'and'): string {
  const rest = names.length - MAX_NAMES;
  const shown = rest > 0 ? [...names.slice(0, MAX_NAMES), rest === 1 ? '1 other' : `${rest} others`] : names;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} ${word} ${shown.at(-1)}`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
