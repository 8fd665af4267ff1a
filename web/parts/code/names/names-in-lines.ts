/** Names in the shown lines of code: the one under the pointer, and all of a line. */

export interface NameInLine {
  name: string;
  /** The element with the text of the line. */
  line: HTMLElement;
  start: number;
}

const NAME = /[\p{L}_$][\p{L}\p{N}_$]{0,199}/gu;
/** Only names in code are known, and words of the language have no definition. */
const NOT_CODE = '.code-comment, .code-string, .code-keyword';
const LINE_TEXT = '.code-lines .text, .diff-line .text';

export function nameAtPoint(x: number, y: number): NameInLine | undefined {
  const caret = caretAt(x, y);
  const line = caret?.node.parentElement?.closest<HTMLElement>(LINE_TEXT);
  if (!caret || !line) return undefined;
  const before = document.createRange();
  before.setStart(line, 0);
  before.setEnd(caret.node, caret.offset);
  const offset = before.toString().length;
  const found = namesIn(line).find(({ name, start }) => start <= offset && offset <= start + name.length);
  if (!found) return undefined;
  // The caret is also found beside a line that is shorter than the pointer is far.
  const isUnder = [...(rangeOf(found)?.getClientRects() ?? [])].some(
    ({ bottom, left, right, top }) => left <= x && x <= right && top <= y && y <= bottom,
  );
  return isUnder ? found : undefined;
}

export function namesIn(line: HTMLElement): NameInLine[] {
  const names: NameInLine[] = [];
  let at = 0;
  const kept: { text: string; isCode: boolean }[] = [];
  for (const node of textsIn(line))
    kept.push({ text: node.data, isCode: node.parentElement?.closest(NOT_CODE) == null });
  // Comments and strings are blanked, so that offsets stay.
  const text = kept.map(({ isCode, text: part }) => (isCode ? part : ' '.repeat(part.length))).join('');
  for (const match of text.matchAll(NAME)) {
    at = match.index;
    if (!/[\p{N}]/u.test(text[at - 1] ?? '')) names.push({ name: match[0], line, start: at });
  }
  return names;
}

/** Undefined when the line shows something else by now. */
export function rangeOf({ line, name, start }: NameInLine): Range | undefined {
  const range = document.createRange();
  let done = 0;
  let isOpen = false;
  for (const node of textsIn(line)) {
    const end = done + node.length;
    if (!isOpen && start < end) {
      range.setStart(node, start - done);
      isOpen = true;
    }
    if (isOpen && start + name.length <= end) {
      range.setEnd(node, start + name.length - done);
      return range.toString() === name ? range : undefined;
    }
    done = end;
  }
  return undefined;
}

function* textsIn(element: Node): Generator<Text> {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) yield walker.currentNode as Text;
}

function caretAt(x: number, y: number): { node: Node; offset: number } | undefined {
  if ('caretPositionFromPoint' in document) {
    const found = document.caretPositionFromPoint(x, y);
    return found ? { node: found.offsetNode, offset: found.offset } : undefined;
  }
  // Safari.
  const range = (document as Document).caretRangeFromPoint(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : undefined;
}
