/** Limits for parsing: a text beyond them is shown as its source. */

/** Real texts don't nest deeper than this; every level costs stack and time. */
export const MAX_DEPTH = 60;

/** With more nodes than this, browsers no longer scroll smoothly. */
export const MAX_NODES = 150_000;

/** How long the worker may take: several times as long as an ordinary text of the same length needs. */
export function parseTimeoutMs(source: string): number {
  return 5000 + source.length / 100;
}

const SHORT_LENGTH = 8192;
/** The parser's time grows with the square of the number of these. */
const MARKERS = /[*_~[\]]/g;
const FEW_MARKERS = 500;

/** Whether a text is parsed synchronously on the page: the worst case takes about two frames. */
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

/** Markers of nested quotes and list items on a single line. */
const NESTED_MARKERS = new RegExp(`^(?:[ \\t]*(?:>|[-+*][ \\t]|\\d{1,9}[.)][ \\t])){${MAX_DEPTH + 1}}`, 'm');

/** Detects before parsing what would take too long and fail in the end. */
export function refuseObviouslyDeep(source: string): void {
  if (NESTED_MARKERS.test(source)) throw new TooMuch('deep');
}
