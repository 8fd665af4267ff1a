/** Cards beside the words they are about. They are placed by what the browser has measured, and follow when it changes. */
import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { findHighlight } from '../../../markdown/index.ts';
import { CARD_GAP, type Card, stackCards } from './stack-cards.ts';

export interface MarginEntry {
  /** The id of its highlight. */
  id: string;
  card: ReactNode;
}

/** Until a card was there once, it counts as this tall. */
const USUAL_HEIGHT = 130;
/** With more cards than this, only those near what is in sight are there at all. */
const MAX_CARDS = 60;
const NEAR_PIXELS = 1500;

export function Margin(props: {
  entries: readonly MarginEntry[];
  activeId: string | undefined;
  text: RefObject<HTMLElement | null>;
  /** Changes when the text is there anew. */
  textState: unknown;
}) {
  const { activeId, entries, text, textState } = props;
  const column = useRef<HTMLDivElement>(null);
  const { heights, tops, measure } = usePlaces(entries, activeId, text, column);
  const near = useNear(column, entries.length > MAX_CARDS);
  const observer = useResizeObserver(measure);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever these change, the words may be elsewhere.
  useLayoutEffect(measure, [measure, textState, near]);
  useLayoutEffect(() => {
    if (text.current) observer.observe(text.current);
  }, [observer, text]);

  const bottoms = entries.map(({ id }) => (tops.get(id) ?? 0) + (heights.current.get(id) ?? USUAL_HEIGHT));
  return (
    <div ref={column} className="relative" style={{ minHeight: Math.max(0, ...bottoms) + CARD_GAP }}>
      {entries.map(({ card, id }, index) => {
        const top = tops.get(id);
        const isNear = !near || id === activeId || (bottoms[index]! > near.from && (top ?? 0) < near.to);
        if (!isNear) return null;
        return (
          <div
            key={id}
            ref={(element) => {
              if (!element) return;
              element.dataset.card = id;
              observer.observe(element);
              return () => observer.unobserve(element);
            }}
            // Before its place is known it is not seen, so that it does not jump there; it can have the focus, though.
            className={`absolute inset-x-0 top-0 ${top === undefined ? 'opacity-0' : 'transition-transform duration-150'} ${id === activeId ? 'z-10' : ''}`}
            style={{ transform: `translateY(${Math.round(top ?? 0)}px)` }}
          >
            {card}
          </div>
        );
      })}
    </div>
  );
}

function usePlaces(
  entries: readonly MarginEntry[],
  activeId: string | undefined,
  text: RefObject<HTMLElement | null>,
  column: RefObject<HTMLElement | null>,
) {
  const [tops, setTops] = useState<Map<string, number>>(new Map());
  const heights = useRef(new Map<string, number>());
  const hold = useRef<{ id: string; area: Element; at: number }>(undefined);
  const measure = useCallback(() => {
    if (!text.current || !column.current) return;
    const origin = column.current.getBoundingClientRect().top;
    for (const element of column.current.querySelectorAll<HTMLElement>('[data-card]')) {
      heights.current.set(element.dataset.card!, element.offsetHeight);
    }
    let last = 0;
    const cards = entries.map(({ id }): Card => {
      const mark = findHighlight(text.current!, id);
      // Words that are not shown, such as the address of a link, are where the words before them are.
      if (mark) last = mark.getBoundingClientRect().top - origin;
      return { id, wanted: last, height: heights.current.get(id) ?? USUAL_HEIGHT };
    });
    holdWhatIsWritten(cards, activeId, column.current, hold);
    setTops((before) => {
      const after = stackCards(cards, activeId);
      return isSame(before, after) ? before : after;
    });
  }, [entries, activeId, text, column]);
  return { heights, tops, measure };
}

/** While someone writes in the active card, what arrives above the text moves the card up, and not the text down. */
function holdWhatIsWritten(
  cards: Card[],
  activeId: string | undefined,
  column: HTMLElement,
  hold: RefObject<{ id: string; area: Element; at: number } | undefined>,
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
  if (hold.current?.area !== area) hold.current = { id: active.id, area, at: inside };
  active.wanted -= inside - hold.current.at;
}

function isSame(before: Map<string, number>, after: Map<string, number>): boolean {
  return before.size === after.size && [...after].every(([id, top]) => before.get(id) === top);
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

/** The part of the column around what is in sight; undefined when all of it counts. */
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
      // In steps, so that not every pixel of scrolling makes the page anew.
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
