/** Cards beside the sentences they are about, positioned by measurement and repositioned when the layout changes. */
import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { findHighlight } from '../../../markdown/index.ts';
import {
  CARD_GAP,
  type Card,
  isCrowded,
  layOutCards,
  type PlacedCard,
  QUOTE_HEIGHT,
} from './lay-out-cards.ts';

export interface CardState {
  /** Set when there are many cards: the card shows only the beginning of its thread. */
  isFolded: boolean;
  /** False if it had to move away from its sentence. */
  isBeside: boolean;
}

export interface MarginEntry {
  /** The id of its highlight. */
  id: string;
  /** The estimated height of its card until it is measured. */
  estimate: number;
  card(state: CardState): ReactNode;
}

/** A folded card has two lines. */
export const FOLDED_HEIGHT = 62;
/** With more cards than this, only those near the visible part of the page are rendered. */
const MAX_CARDS = 40;
const NEAR_PIXELS = 1500;

interface Layout {
  placed: Map<string, PlacedCard>;
  isFolded: boolean;
}

export function Margin(props: {
  entries: readonly MarginEntry[];
  activeId: string | undefined;
  text: RefObject<HTMLElement | null>;
  /** The element of the text; undefined until it is rendered and can be measured. */
  textState: string | undefined;
}) {
  const { activeId, entries, text, textState } = props;
  const column = useRef<HTMLDivElement>(null);
  const { layout, measure } = useLayout(entries, activeId, text, column, textState !== undefined);
  const near = useNear(column, entries.length > MAX_CARDS);
  const observer = useResizeObserver(measure);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these may have moved the sentences.
  useLayoutEffect(measure, [measure, textState, near]);
  useLayoutEffect(() => {
    if (text.current) observer.observe(text.current);
  }, [observer, text]);

  const bottoms = [...(layout?.placed.values() ?? [])].map(({ height, top }) => top + height);
  return (
    <div ref={column} className="relative" style={{ minHeight: Math.max(0, ...bottoms) + CARD_GAP }}>
      {entries.map(({ card, id }) => {
        const placed = layout?.placed.get(id);
        const isActive = id === activeId;
        if (!layout || (!isActive && !(placed && isNear(placed, near)))) return null;
        const isFolded = !isActive && layout.isFolded;
        return (
          <div
            key={id}
            ref={(element) => {
              if (!element) return;
              observer.observe(element);
              return () => observer.unobserve(element);
            }}
            data-card={id}
            data-folded={isFolded}
            // Invisible until it is positioned, so that it doesn't jump; it can still have the focus.
            className={`absolute inset-x-0 top-0 ${placed ? 'transition-transform duration-150' : 'opacity-0'} ${isActive ? 'z-10' : ''}`}
            style={{
              transform: `translateY(${Math.round(placed?.top ?? 0)}px)`,
              height: isFolded ? placed?.height : undefined,
            }}
          >
            {card({ isFolded, isBeside: placed?.isBeside ?? true })}
          </div>
        );
      })}
    </div>
  );
}

function isNear({ height, top }: PlacedCard, near: { from: number; to: number } | undefined): boolean {
  return !near || (top + height > near.from && top < near.to);
}

function useLayout(
  entries: readonly MarginEntry[],
  activeId: string | undefined,
  text: RefObject<HTMLElement | null>,
  column: RefObject<HTMLElement | null>,
  isReady: boolean,
) {
  const [layout, setLayout] = useState<Layout>();
  const heights = useRef(new Map<string, number>());
  const hold = useRef<{ area: Element; at: number }>(undefined);
  const measure = useCallback(() => {
    if (!isReady || !text.current || !column.current) return;
    const origin = column.current.getBoundingClientRect().top;
    for (const element of column.current.querySelectorAll<HTMLElement>('[data-card]')) {
      if (element.dataset.folded === 'true') continue;
      const quoted = element.querySelector('[data-quote]') ? QUOTE_HEIGHT : 0;
      heights.current.set(element.dataset.card!, element.offsetHeight - quoted);
    }
    let last = 0;
    const anchors = entries.map(({ id }) => {
      const mark = findHighlight(text.current!, id);
      // Text that isn't shown, such as the address of a link, is located at the text before it.
      if (mark) last = Math.max(0, mark.getBoundingClientRect().top - origin);
      return last;
    });
    const estimated = entries.map(({ estimate, id }, index) => ({
      id,
      anchor: anchors[index]!,
      height: estimate,
    }));
    const isFolded = isCrowded(estimated);
    const cards = estimated.map(({ anchor, height, id }): Card => {
      if (isFolded && id !== activeId) return { id, anchor, height: FOLDED_HEIGHT };
      return { id, anchor, height: heights.current.get(id) ?? height };
    });
    holdTextArea(cards, activeId, column.current, hold);
    setLayout((before) => {
      const after = { placed: layOutCards(cards, activeId), isFolded };
      return before && isSame(before, after) ? before : after;
    });
  }, [entries, activeId, text, column, isReady]);
  return { layout, measure };
}

/** While someone types in the active card, content that arrives above the text area moves the card up, not the area down. */
function holdTextArea(
  cards: Card[],
  activeId: string | undefined,
  column: HTMLElement,
  hold: RefObject<{ area: Element; at: number } | undefined>,
): void {
  const area = document.activeElement;
  const card = area?.closest<HTMLElement>('[data-card]');
  const active = cards.find(({ id }) => id === activeId);
  if (!(area instanceof HTMLTextAreaElement) || !active || !card || card.dataset.card !== activeId) {
    hold.current = undefined;
    return;
  }
  if (!column.contains(area)) return;
  const inside = area.getBoundingClientRect().top - card.getBoundingClientRect().top;
  if (hold.current?.area !== area) hold.current = { area, at: inside };
  active.anchor -= inside - hold.current.at;
}

function isSame(before: Layout, after: Layout): boolean {
  if (before.isFolded !== after.isFolded || before.placed.size !== after.placed.size) return false;
  return [...after.placed].every(([id, { height, isBeside, top }]) => {
    const other = before.placed.get(id);
    return other?.top === top && other.height === height && other.isBeside === isBeside;
  });
}

function useResizeObserver(measure: () => void): ResizeObserver {
  const latest = useRef(measure);
  useLayoutEffect(() => {
    latest.current = measure;
  });
  const [observer] = useState(() => {
    let frame = 0;
    return new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => latest.current());
    });
  });
  return observer;
}

/** The part of the column near the viewport; undefined means all of it. */
function useNear(column: RefObject<HTMLElement | null>, isWanted: boolean) {
  const [near, setNear] = useState<{ from: number; to: number }>();
  useLayoutEffect(() => {
    if (!isWanted) {
      setNear(undefined);
      return;
    }
    let frame = 0;
    const look = () => {
      const top = -(column.current?.getBoundingClientRect().top ?? 0);
      // In steps, so that the cards don't render again with every scrolled pixel.
      const from = Math.floor(top / 500) * 500 - NEAR_PIXELS;
      const to = from + 2 * NEAR_PIXELS + innerHeight + 500;
      setNear((before) => (before?.from === from && before.to === to ? before : { from, to }));
    };
    const scroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    look();
    addEventListener('scroll', scroll, { passive: true });
    addEventListener('resize', scroll);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', scroll);
      removeEventListener('resize', scroll);
    };
  }, [column, isWanted]);
  return near;
}
