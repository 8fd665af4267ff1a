/** How much of a text is worth parsing: beyond these, it is shown as its source. */

/** Nobody writes deeper than this; every level costs stack and time. */
export const DEEPEST = 60;

/** More nodes than this make a page that no browser scrolls well. */
export const MAX_NODES = 150_000;

/** How long the worker may think about a text: several times what an ordinary one of its length takes. */
export function parseTimeoutMs(source: string): number {
  return 5000 + source.length / 100;
}

const SHORT_LENGTH = 8192;
/** The parser's time grows with the square of the number of these. */
const MARKERS = /[*_~[\]]/g;
const FEW_MARKERS = 500;

/** Whether a text may be parsed at once, in the page: the worst of them takes about as long as two frames. */
export function isQuicklyParsed(source: string): boolean {
  return source.length <= SHORT_LENGTH && (source.match(MARKERS)?.length ?? 0) <= FEW_MARKERS;
}

export class TooMuch extends Error {
  readonly reason: 'deep' | 'large';

  constructor(reason: 'deep' | 'large') {
    super(reason);
    this.reason = reason;
  }
}

/** Markers of quotes and list items that open one inside the other on a single line. */
const NESTED_MARKERS = new RegExp(`^(?:[ \\t]*(?:>|[-+*][ \\t]|\\d{1,9}[.)][ \\t])){${DEEPEST + 1}}`, 'm');

/** Tells before parsing what would take the parser long and come to nothing. */
export function refuseObviouslyDeep(source: string): void {
  if (NESTED_MARKERS.test(source)) throw new TooMuch('deep');
}
