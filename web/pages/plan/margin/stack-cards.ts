/** Where cards go in the margin: beside their words where there is room, never one over the other. Pure. */

export interface Card {
  id: string;
  /** Where its words are. */
  wanted: number;
  height: number;
}

export const CARD_GAP = 10;

/**
 * Cards in the order of their words. The pinned one is exactly where it wants to be, as long as those above it have room;
 * those above move up for it, those below move down.
 */
export function stackCards(cards: readonly Card[], pinnedId?: string): Map<string, number> {
  const tops = sweepDown(
    cards.map(({ wanted }) => wanted),
    cards,
    0,
  );
  const pinned = cards.findIndex(({ id }) => id === pinnedId);
  if (pinned >= 0) {
    tops[pinned] = cards[pinned]!.wanted;
    for (let index = pinned - 1; index >= 0; index -= 1) {
      tops[index] = Math.min(tops[index]!, tops[index + 1]! - CARD_GAP - cards[index]!.height);
    }
    for (let index = pinned + 1; index < cards.length; index += 1) tops[index] = cards[index]!.wanted;
  }
  const final = sweepDown(tops, cards, 0);
  return new Map(cards.map(({ id }, index) => [id, final[index]!]));
}

function sweepDown(wanted: readonly number[], cards: readonly Card[], first: number): number[] {
  let free = first;
  return cards.map(({ height }, index) => {
    const top = Math.max(wanted[index]!, free);
    free = top + height + CARD_GAP;
    return top;
  });
}
