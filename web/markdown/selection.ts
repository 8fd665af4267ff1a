/** Turns what is selected in the browser into a range of the Markdown source. */
import { isExact, type Piece, type SourceRange } from './tree.ts';

/** On elements whose text is made of pieces of the source, and of nothing else. */
const TEXT = 'data-source-text';
/** On the element around one whole text. */
const VIEW = 'data-source-view';

/** On the element around the notes. */
const NOTES = 'data-source-notes';

export const SOURCE_NOTES = { [NOTES]: '' };
export const SOURCE_VIEW = { [VIEW]: '' };
export const SOURCE_TEXT = { [TEXT]: '' };

const piecesByElement = new WeakMap<Element, () => readonly Piece[]>();

/** To be called with the element of every text that is shown; the pieces are only asked for when it is selected. */
export function rememberPieces(element: Element | null, pieces: () => readonly Piece[]): void {
  if (element) piecesByElement.set(element, pieces);
}

/**
 * The range of the source behind a selection, without white space around it. Undefined where nothing is selected, or
 * nothing of one text: what lies outside the text in which the selection began does not count.
 */
export function selectionToSource(selection: Selection | null): SourceRange | undefined {
  if (!selection || selection.rangeCount === 0 || selection.isCollapsed) return undefined;
  const range = selection.getRangeAt(0);
  const view = viewOf(selection.anchorNode) ?? viewOf(selection.focusNode) ?? viewInside(range);
  if (!view) return undefined;
  const texts = [...view.querySelectorAll(`[${TEXT}]`)];
  const notes = view.querySelectorAll(`[${NOTES}] [${TEXT}]`).length;
  // Notes are shown last, wherever they stand in the source.
  const groups = [texts.slice(0, texts.length - notes), texts.slice(texts.length - notes)];
  const places = groups.flatMap((group) => {
    const touched = touchedBy(range, group);
    const start = firstFound(touched, (element) => chosenIn(element, range)?.start);
    const end = firstFound(touched.reverse(), (element) => chosenIn(element, range)?.end);
    return start !== undefined && end !== undefined ? [{ start, end }] : [];
  });
  if (places.length === 0) return undefined;
  return {
    start: Math.min(...places.map((place) => place.start)),
    end: Math.max(...places.map((place) => place.end)),
  };
}

/** The elements that a range touches, of elements that follow each other; a long text has too many to look at each. */
function touchedBy(range: Range, elements: Element[]): Element[] {
  const first = lowerBound(
    elements,
    (element) => range.comparePoint(element, element.childNodes.length) >= 0,
  );
  const after = lowerBound(elements, (element) => range.comparePoint(element, 0) > 0);
  return elements.slice(first, after);
}

function lowerBound<Item>(items: readonly Item[], isReached: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function firstFound<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The part of the source behind what is selected of one text; undefined for nothing but white space. */
function chosenIn(element: Element, range: Range): SourceRange | undefined {
  const text = element.textContent;
  const from = offsetIn(element, range.startContainer, range.startOffset) ?? 0;
  const to = offsetIn(element, range.endContainer, range.endOffset) ?? text.length;
  const chosen = text.slice(from, to);
  if (chosen.trim() === '') return undefined;
  const pieces = piecesByElement.get(element)?.() ?? [];
  const first = placeAt(pieces, from + chosen.length - chosen.trimStart().length);
  const last = placeAt(pieces, from + chosen.trimEnd().length - 1);
  return first && last && { start: first.start, end: last.end };
}

function viewOf(node: Node | null): Element | null {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest(`[${VIEW}]`) ?? null;
}

/** Everything on the page may be selected, with the text somewhere in it. */
function viewInside(range: Range): Element | undefined {
  const around = range.commonAncestorContainer;
  if (!(around instanceof Element)) return undefined;
  return [...around.querySelectorAll(`[${VIEW}]`)].find((view) => range.intersectsNode(view));
}

/** How many characters of the element's text lie before a point in it; undefined for a point elsewhere. */
function offsetIn(element: Element, node: Node, offset: number): number | undefined {
  if (!element.contains(node)) return undefined;
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(node, offset);
  return before.toString().length;
}

/** The place in the source of one character of the text. */
function placeAt(pieces: readonly Piece[], position: number): SourceRange | undefined {
  let before = 0;
  for (const piece of pieces) {
    const inside = position - before;
    if (inside < piece.text.length) {
      if (!isExact(piece)) return piece;
      return { start: piece.start + inside, end: piece.start + inside + 1 };
    }
    before += piece.text.length;
  }
  return undefined;
}
