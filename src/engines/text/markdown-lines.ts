/** Determines what kind of block a line of Markdown starts, in one pass over its characters. */

const TAB = 0x09;
const SPACE = 0x20;
const BACKTICK = 0x60;
const TILDE = 0x7e;
const HASH = 0x23;
const GREATER = 0x3e;
const LESS = 0x3c;
const PIPE = 0x7c;
const COLON = 0x3a;
const DASH = 0x2d;
const PLUS = 0x2b;
const STAR = 0x2a;
const UNDERSCORE = 0x5f;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;

export type LineKind = 'fence' | 'heading' | 'quote' | 'rule' | 'html' | 'list-item' | 'text';

/** The block that is open before the line, because some blocks can't interrupt a paragraph. */
export type Before = 'nothing' | 'paragraph' | 'paragraph of an item that the line left';

/** A longer line of `---` is treated as text, to bound the cost of nested items on one line. */
const MAX_RULE_LENGTH = 1000;

/** The kind of block that `content[at..end)` starts, where `at` is the first non-space character. */
export function lineKind(content: string, at: number, end: number, before: Before): LineKind {
  const code = content.charCodeAt(at);
  if (code > LESS + 2 && code < UNDERSCORE) return 'text';
  switch (code) {
    case HASH:
      return headingLevel(content, at, end) > 0 ? 'heading' : 'text';
    case GREATER:
      return 'quote';
    case BACKTICK:
    case TILDE:
      return fenceLength(content, at, end) > 0 ? 'fence' : 'text';
    case LESS:
      return htmlEnding(content, at, end, before !== 'nothing') === null ? 'text' : 'html';
    case UNDERSCORE:
      return isRule(content, at, end) ? 'rule' : 'text';
    case DASH:
    case STAR:
      if (isRule(content, at, end)) return 'rule';
  }
  if (code > COLON) return 'text';
  return markerWidth(content, at, end, before === 'paragraph') > 0 ? 'list-item' : 'text';
}

/** 1 to 6, or 0 if the line is not a `#` heading. */
export function headingLevel(content: string, at: number, end: number): number {
  let level = 0;
  while (level < 7 && at + level < end && content.charCodeAt(at + level) === HASH) level += 1;
  if (level === 0 || level > 6) return 0;
  return at + level === end || isSpace(content.charCodeAt(at + level)) ? level : 0;
}

/** The length of the opening code fence, or 0. */
export function fenceLength(content: string, at: number, end: number): number {
  const code = content.charCodeAt(at);
  const length = runLength(content, at, end, code);
  if (length < 3) return 0;
  if (code === TILDE) return length;
  for (let place = at + length; place < end; place += 1) {
    if (content.charCodeAt(place) === BACKTICK) return 0;
  }
  return length;
}

/** Whether the line closes this fence. */
export function closesFence(content: string, at: number, end: number, fence: string): boolean {
  const length = runLength(content, at, end, fence.charCodeAt(0));
  return length >= fence.length && skipSpace(content, at + length, end) === end;
}

/** 1 for `===`, 2 for `---`, which turn the paragraph above into a heading; 0 for anything else. */
export function underlineLevel(content: string, at: number, end: number): number {
  const code = content.charCodeAt(at);
  if (code !== EQUALS && code !== DASH) return 0;
  if (skipSpace(content, at + runLength(content, at, end, code), end) !== end) return 0;
  return code === EQUALS ? 1 : 2;
}

/**
 * The width of a list marker (`-`, `12.`), or 0. A paragraph is interrupted only by an item that is not empty and, if
 * numbered, starts at 1, because a sentence can wrap before "1984. ".
 */
export function markerWidth(content: string, at: number, end: number, insideParagraph: boolean): number {
  const code = content.charCodeAt(at);
  let width = 1;
  if (isDigit(code)) {
    while (width < 9 && isDigit(content.charCodeAt(at + width))) width += 1;
    const closing = content.charCodeAt(at + width);
    if (at + width >= end || (closing !== 0x2e && closing !== 0x29)) return 0;
    if (insideParagraph && (width !== 1 || code !== 0x31)) return 0;
    width += 1;
  } else if (code !== DASH && code !== STAR && code !== PLUS) return 0;
  const after = at + width;
  if (after < end && !isSpace(content.charCodeAt(after))) return 0;
  return insideParagraph && skipSpace(content, after, end) === end ? 0 : width;
}

function isRule(content: string, at: number, end: number): boolean {
  if (end - at < 3 || end - at > MAX_RULE_LENGTH) return false;
  const code = content.charCodeAt(at);
  let count = 0;
  for (let place = at; place < end; place += 1) {
    const other = content.charCodeAt(place);
    if (other === code) count += 1;
    else if (!isSpace(other)) return false;
  }
  return count >= 3;
}

/** The number of columns if the line is a table delimiter row (`| --- | :-: |`), otherwise 0. */
export function delimiterColumns(content: string, at: number, end: number): number {
  let place = at;
  let columns = 0;
  let pipes = 0;
  if (content.charCodeAt(place) === PIPE) {
    pipes += 1;
    place = skipSpace(content, place + 1, end);
  }
  while (place < end) {
    if (content.charCodeAt(place) === COLON) place += 1;
    const dashes = runLength(content, place, end, DASH);
    if (dashes === 0) return 0;
    place += dashes;
    if (place < end && content.charCodeAt(place) === COLON) place += 1;
    place = skipSpace(content, place, end);
    columns += 1;
    if (place === end) break;
    if (content.charCodeAt(place) !== PIPE) return 0;
    pipes += 1;
    place = skipSpace(content, place + 1, end);
  }
  return pipes > 0 ? columns : 0;
}

/** The number of cells in a table row; 0 if it has no divider. */
export function cellCount(content: string, at: number, end: number): number {
  let pipes = 0;
  let lastPipe = -1;
  for (let place = at; place < end; place += 1) {
    const code = content.charCodeAt(place);
    if (code === BACKSLASH) place += 1;
    else if (code === PIPE) {
      pipes += 1;
      lastPipe = place;
    }
  }
  if (pipes === 0) return 0;
  const opening = content.charCodeAt(at) === PIPE ? 1 : 0;
  const closing = lastPipe > at && skipSpace(content, lastPipe + 1, end) === end ? 1 : 0;
  return Math.max(1, pipes + 1 - opening - closing);
}

/** An HTML block ends at a text or, if that is empty, at a blank line. */
export interface HtmlEnding {
  until: string;
  /** Whether a heading also ends it. */
  heading: boolean;
}

const CLOSED_BY_OWN_TAG = new Set(['script', 'pre', 'style', 'textarea']);
const BLOCK_TAGS = new Set(
  `address article aside base blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset
   figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu
   menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track
   ul`.split(/\s+/),
);
const MAX_TAG_NAME_LENGTH = 100;

/** Whether a line that starts with `<` opens an HTML block, and what ends it. */
export function htmlEnding(
  content: string,
  at: number,
  end: number,
  insideParagraph: boolean,
): HtmlEnding | null {
  const second = content[at + 1];
  if (at + 1 >= end) return null;
  if (second === '?') return { until: '?>', heading: false };
  if (second === '!') {
    if (content.startsWith('--', at + 2)) return { until: '-->', heading: false };
    if (content.startsWith('[CDATA[', at + 2)) return { until: ']]>', heading: false };
    return isLetter(content.charCodeAt(at + 2)) ? { until: '>', heading: false } : null;
  }
  const isClosing = second === '/';
  const nameStart = at + (isClosing ? 2 : 1);
  let nameEnd = nameStart;
  while (
    nameEnd < end &&
    nameEnd - nameStart < MAX_TAG_NAME_LENGTH &&
    isOfTagName(content.charCodeAt(nameEnd))
  ) {
    nameEnd += 1;
  }
  if (nameEnd === nameStart || !isLetter(content.charCodeAt(nameStart))) return null;
  const after = content.charCodeAt(nameEnd);
  if (nameEnd < end && after !== GREATER && after !== SLASH && !isSpace(after)) return null;
  const name = content.slice(nameStart, nameEnd).toLowerCase();
  if (!isClosing && CLOSED_BY_OWN_TAG.has(name)) return { until: `</${name}>`, heading: false };
  if (BLOCK_TAGS.has(name)) return { until: '', heading: false };
  // Some agents wrap a whole plan in a custom tag with the title on the next line, which is still a heading.
  return !insideParagraph && isOnlyTag(content, nameEnd, end) ? { until: '', heading: true } : null;
}

/** Whether the tag that began before `from` closes and nothing follows it. */
function isOnlyTag(content: string, from: number, end: number): boolean {
  let place = from;
  while (place < end && content.charCodeAt(place) !== GREATER) {
    if (content.charCodeAt(place) === LESS) return false;
    place += 1;
  }
  return place < end && skipSpace(content, place + 1, end) === end;
}

export function skipSpace(content: string, from: number, end: number): number {
  let place = from;
  while (place < end && isSpace(content.charCodeAt(place))) place += 1;
  return place;
}

/** The column of `to`, counted from `column` at `from`; a tab advances to the next multiple of four. */
export function columnAt(content: string, from: number, to: number, column: number): number {
  let reached = column;
  for (let place = from; place < to; place += 1) {
    reached += content.charCodeAt(place) === TAB ? 4 - (reached % 4) : 1;
  }
  return reached;
}

function runLength(content: string, at: number, end: number, code: number): number {
  let place = at;
  while (place < end && content.charCodeAt(place) === code) place += 1;
  return place - at;
}

export function isSpace(code: number): boolean {
  return code === SPACE || code === TAB || code === 0x0b || code === 0x0c;
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

function isOfTagName(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === DASH;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
