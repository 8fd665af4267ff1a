/** Positions cards in the margin: beside their sentences where there is room, never overlapping. Pure. */

export interface Card {
  id: string;
  /** Where its sentence is. */
  anchor: number;
  /** Without its quote. */
  height: number;
}

export interface PlacedCard {
  top: number;
  /** With its quote, if it has one. */
  height: number;
  /** Whether the card quotes its sentence, because it had to move away from it. */
  isBeside: boolean;
}

export const CARD_GAP = 10;
/** A quote in a card is one line, so that its height is known without measuring. */
export const QUOTE_HEIGHT = 26;
/** Up to this distance the eye still connects a card with its sentence. */
const BESIDE_PIXELS = 28;
/** When the farthest card would be farther than this from its sentence, cards are folded. */
const CROWDED_PIXELS = 260;

/**
 * Cards in the order of their sentences. The active card is exactly beside its sentence: the cards above it move up and
 * those below move down. Cards without room above it are hidden; they reappear when another card is active.
 */
export function layOutCards(cards: readonly Card[], activeId?: string): Map<string, PlacedCard> {
  const active = cards.findIndex(({ id }) => id === activeId);
  if (active < 0) return new Map(downFrom(0, cards));
  const { anchor, height, id } = cards[active]!;
  const top = Math.max(0, anchor);
  const above = upFrom(top - CARD_GAP, cards.slice(0, active));
  const below = downFrom(top + height + CARD_GAP, cards.slice(active + 1));
  return new Map([...above, [id, { top, height, isBeside: true }], ...below]);
}

type Entry = [id: string, placed: PlacedCard];

function downFrom(first: number, cards: readonly Card[]): Entry[] {
  let free = first;
  return cards.map(({ anchor, height, id }) => {
    const top = Math.max(anchor, free);
    const isBeside = top - anchor <= BESIDE_PIXELS;
    const placed = { top, height: isBeside ? height : height + QUOTE_HEIGHT, isBeside };
    free = top + placed.height + CARD_GAP;
    return [id, placed];
  });
}

/** Each card is as low as it would be without the active card, or as close to the next one as possible. */
function upFrom(last: number, cards: readonly Card[]): Entry[] {
  const usual = downFrom(0, cards);
  const placed: Entry[] = [];
  let free = last;
  for (let index = cards.length - 1; index >= 0; index -= 1) {
    const { anchor, height, id } = cards[index]!;
    const [, natural] = usual[index]!;
    let entry = natural;
    if (natural.top + natural.height > free) {
      const isBeside = Math.abs(free - height - anchor) <= BESIDE_PIXELS;
      const needed = isBeside ? height : height + QUOTE_HEIGHT;
      entry = { top: free - needed, height: needed, isBeside };
    }
    if (entry.top < 0) break;
    placed.unshift([id, entry]);
    free = entry.top - CARD_GAP;
  }
  return placed;
}

/** Whether cards of these heights would drift so far from their sentences that they should be folded. */
export function isCrowded(cards: readonly Card[]): boolean {
  const placed = layOutCards(cards);
  return cards.some(({ anchor, id }) => placed.get(id)!.top - anchor > CROWDED_PIXELS);
}

export interface Extent {
  top: number;
  bottom: number;
}

/** The space between the scroll target and the edge of the visible area. */
const SCROLL_MARGIN = 16;

/** By how much to scroll so that a sentence and its card are in view; zero when they are. */
export function scrollNeeded(wanted: Extent, visible: Extent): number {
  const height = wanted.bottom - wanted.top;
  const [first, last] = [visible.top + SCROLL_MARGIN, visible.bottom - SCROLL_MARGIN];
  if (wanted.top >= first && wanted.bottom <= last) return 0;
  // A quarter of the way down the page, or higher if the card is tall; a card taller than the page starts at the top.
  const target = Math.max(first, Math.min(visible.top + (visible.bottom - visible.top) / 4, last - height));
  return wanted.top - target;
}
