/** Maps the browser's selection to a range of the Markdown source. */
import { isExact, type Piece, type SourceRange } from './tree.ts';

/** Marks elements whose text consists only of pieces of the source. */
const TEXT = 'data-source-text';
/** Marks the element around a whole text. */
const VIEW = 'data-source-view';

/** Marks the element around the footnotes. */
const NOTES = 'data-source-notes';

export const SOURCE_NOTES = { [NOTES]: '' };
export const SOURCE_VIEW = { [VIEW]: '' };
export const SOURCE_TEXT = { [TEXT]: '' };

const piecesByElement = new WeakMap<Element, () => readonly Piece[]>();

/** Called with the element of every rendered text; the pieces are read only when it is selected. */
export function rememberPieces(element: Element | null, pieces: () => readonly Piece[]): void {
  if (element) piecesByElement.set(element, pieces);
}

/**
 * The source range of a selection, without surrounding white space. Only the text in which the selection began counts;
 * undefined if nothing in it is selected.
 */
export function selectionToSource(selection: Selection | null): SourceRange | undefined {
  if (!selection || selection.rangeCount === 0 || selection.isCollapsed) return undefined;
  const range = selection.getRangeAt(0);
  const view = viewOf(selection.anchorNode) ?? viewOf(selection.focusNode) ?? viewInside(range);
  if (!view) return undefined;
  const texts = [...view.querySelectorAll(`[${TEXT}]`)];
  const notes = view.querySelectorAll(`[${NOTES}] [${TEXT}]`).length;
  // Footnotes are shown last, wherever they are in the source.
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

/** The elements that a range touches, by binary search: a long text has too many to check each. */
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

/** The source range of the selected part of one element; undefined if it is only white space. */
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

/** The selection may cover the whole page, including the text. */
function viewInside(range: Range): Element | undefined {
  const around = range.commonAncestorContainer;
  if (!(around instanceof Element)) return undefined;
  return [...around.querySelectorAll(`[${VIEW}]`)].find((view) => range.intersectsNode(view));
}

/** The offset of a point in the element's text; undefined for a point outside it. */
function offsetIn(element: Element, node: Node, offset: number): number | undefined {
  if (!element.contains(node)) return undefined;
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(node, offset);
  return before.toString().length;
}

/** The source offset of a character of the text. */
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
