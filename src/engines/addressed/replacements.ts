/** Pairs that a comment asks to swap: "rename x to y", "x -> y", "s/x/y/", "replace x with y", "y instead of x". */

export interface Replacement {
  from: string;
  to: string;
}

const WORD = '[`\'"]?([\\p{L}\\p{N}_$.()@-]{1,80}?)[`\'"]?';
const END = '(?=[\\s,;:!?`\'")]|[.](?:\\s|$)|$)';
/** Every repetition is bounded, so that no comment costs more than its length times that bound. */
const FORWARD = [
  new RegExp(`\\brename(?: this| it| the)?(?: [a-z]{1,12})? ${WORD} (?:to|as|into) ${WORD}${END}`, 'giu'),
  new RegExp(`\\breplace ${WORD} (?:with|by) ${WORD}${END}`, 'giu'),
  new RegExp(`\\bchange ${WORD} to ${WORD}${END}`, 'giu'),
  new RegExp(`${WORD} ?(?:->|=>|→|➡) ?${WORD}${END}`, 'giu'),
  /\bs\/([^/\s]{1,80})\/([^/\s]{1,80})(?:\/|$|\s)/giu,
];
const BACKWARD = [new RegExp(`${WORD} (?:instead of|rather than|over|not) ${WORD}${END}`, 'giu')];

export function readReplacements(prose: string): Replacement[] {
  const found: Replacement[] = [];
  for (const pattern of FORWARD) {
    for (const [, from, to] of prose.matchAll(pattern)) found.push({ from: from!, to: to! });
  }
  for (const pattern of BACKWARD) {
    for (const [, to, from] of prose.matchAll(pattern)) found.push({ from: from!, to: to! });
  }
  return found.filter(({ from, to }) => from !== to && from !== '' && to !== '').slice(0, 20);
}
