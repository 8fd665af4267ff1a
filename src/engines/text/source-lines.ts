/** Finds line ends and front matter. */
import { skipSpace } from './markdown-lines.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Short lines are read character by character, which is faster than a call of indexOf. */
const SHORT_LINE = 32;

export class SourceLines {
  readonly #content: string;
  readonly #hasCarriageReturns: boolean;

  constructor(content: string) {
    this.#content = content;
    this.#hasCarriageReturns = content.includes('\r');
  }

  /** Where the line that contains `from` ends, before its line break. */
  end(from: number): number {
    const content = this.#content;
    const soon = this.#hasCarriageReturns ? content.length : Math.min(content.length, from + SHORT_LINE);
    for (let place = from; place < soon; place += 1) {
      const code = content.charCodeAt(place);
      if (code === NEWLINE || code === CARRIAGE_RETURN) return place;
    }
    if (soon === content.length) return soon;
    const found = content.indexOf('\n', soon);
    return found < 0 ? content.length : found;
  }

  /** Where the next line starts. */
  next(end: number): number {
    const content = this.#content;
    const isPair = content.charCodeAt(end) === CARRIAGE_RETURN && content.charCodeAt(end + 1) === NEWLINE;
    return Math.min(content.length, end + (isPair ? 2 : 1));
  }
}

/** Front matter starts with a line `---` followed by a name and a colon. Any other `---` is a rule. */
export function findFrontMatter(
  content: string,
  start: number,
  lines: SourceLines,
): { textStart: number; textEnd: number; end: number } | null {
  const isFence = (from: number, end: number, fence: string) =>
    content[from] === fence[0] &&
    content.startsWith(fence, from) &&
    skipSpace(content, from + 3, end) === end;
  const firstEnd = lines.end(start);
  if (!isFence(start, firstEnd, '---')) return null;
  const textStart = lines.next(firstEnd);
  if (!/^[\w-]{1,100}[ \t]*:/.test(content.slice(textStart, textStart + 200))) return null;
  for (let from = textStart; from < content.length; ) {
    const end = lines.end(from);
    if (isFence(from, end, '---') || isFence(from, end, '...')) return { textStart, textEnd: from, end };
    from = lines.next(end);
  }
  return null;
}
