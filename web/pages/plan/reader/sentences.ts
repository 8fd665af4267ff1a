/** Moves through the text of a plan by sentence, so that one can be selected with the keyboard. */

export interface Sentence {
  start: number;
  end: number;
}

/** The sentences of a paragraph, or the lines of code; without the white space around them. Pure. */
export function sentencesOf(text: string, isCode = false): Sentence[] {
  const parts = isCode
    ? text.split(/(?<=\n)/)
    : Array.from(
        new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text),
        ({ segment }) => segment,
      );
  let at = 0;
  return parts.flatMap((part) => {
    const start = at + part.length - part.trimStart().length;
    const end = at + part.trimEnd().length;
    at += part.length;
    return start < end ? [{ start, end }] : [];
  });
}

/** Where the keyboard is: a text element of the page, and a sentence in it. */
interface Position {
  element: number;
  sentence: number;
}

/** The next or previous sentence, across paragraphs; undefined at either end of the text. Pure. */
export function moveBy(
  counts: readonly number[],
  { element, sentence }: Position,
  by: 1 | -1,
): Position | undefined {
  const within = sentence + by;
  if (within >= 0 && within < (counts[element] ?? 0)) return { element, sentence: within };
  for (let next = element + by; next >= 0 && next < counts.length; next += by) {
    const count = counts[next]!;
    if (count > 0) return { element: next, sentence: by > 0 ? 0 : count - 1 };
  }
  return undefined;
}

/**
 * Selects a sentence of the view: the one after or before the selection, or the first one in view if nothing is selected.
 * Returns the selected text; undefined if there is no next sentence.
 */
export function selectSentence(view: HTMLElement, by: 1 | -1, visibleTop: number): string | undefined {
  const elements = [...view.querySelectorAll<HTMLElement>('[data-source-text]')];
  const sentences = elements.map((element) =>
    sentencesOf(element.textContent, element.closest('pre') !== null),
  );
  const counts = sentences.map(({ length }) => length);
  const now = positionOf(elements, sentences);
  const first = elements.findIndex(
    (element, index) => counts[index]! > 0 && element.getBoundingClientRect().bottom > visibleTop,
  );
  const next = now ? moveBy(counts, now, by) : first >= 0 ? { element: first, sentence: 0 } : undefined;
  if (!next) return undefined;
  const { start, end } = sentences[next.element]![next.sentence]!;
  const range = rangeIn(elements[next.element]!, start, end);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
  return range.toString();
}

function positionOf(
  elements: readonly HTMLElement[],
  sentences: readonly Sentence[][],
): Position | undefined {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const { endContainer, endOffset } = selection.getRangeAt(0);
  const element = elements.findIndex((each) => each.contains(endContainer));
  if (element < 0) return undefined;
  const before = document.createRange();
  before.selectNodeContents(elements[element]!);
  before.setEnd(endContainer, endOffset);
  const offset = before.toString().length;
  const sentence = sentences[element]!.findIndex(({ end }) => offset <= end);
  return { element, sentence: Math.max(0, sentence) };
}

function rangeIn(element: HTMLElement, start: number, end: number): Range {
  const range = document.createRange();
  range.selectNodeContents(element);
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let at = 0;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const length = node.textContent!.length;
    if (at <= start && start < at + length) range.setStart(node, start - at);
    if (at < end && end <= at + length) range.setEnd(node, end - at);
    at += length;
  }
  return range;
}
