/** Brings a thread and its sentence into view. */
import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { findHighlight } from '../../../markdown/index.ts';
import { scrollNeeded } from '../margin/lay-out-cards.ts';

const cardOf = (id: string) => document.querySelector<HTMLElement>(`[data-thread="${CSS.escape(id)}"]`);

/**
 * After another thread became active: scrolls until its sentence and its card are in view, and keeps the keyboard there.
 * The card is open and positioned two frames later.
 */
export function useActiveInView(
  activeId: string | undefined,
  text: RefObject<HTMLElement | null>,
  { isMargin, takesFocus }: { isMargin: boolean; takesFocus: RefObject<boolean> },
): void {
  const before = useRef(activeId);
  useEffect(() => {
    const id = activeId ?? before.current;
    if (before.current === activeId || id === undefined) return;
    before.current = activeId;
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        // A folded and an open card are different elements, so the focused one no longer exists.
        const isLost = document.activeElement === document.body;
        if (takesFocus.current || isLost) cardOf(id)?.focus({ preventScroll: true });
        takesFocus.current = false;
        if (activeId !== undefined) bringIntoView(activeId, text.current, isMargin);
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [activeId, text, isMargin, takesFocus]);
}

function bringIntoView(id: string, text: HTMLElement | null, isMargin: boolean): void {
  const mark = text && findHighlight(text, id);
  const card = isMargin ? document.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"]`) : null;
  const extents = [mark ?? cardOf(id), mark && card].flatMap((each) => each?.getBoundingClientRect() ?? []);
  if (extents.length === 0) return;
  const wanted = {
    top: Math.min(...extents.map(({ top }) => top)),
    bottom: Math.max(...extents.map(({ bottom }) => bottom)),
  };
  const by = scrollNeeded(wanted, { top: stickyHeight(), bottom: innerHeight });
  if (by !== 0) scrollBy({ top: by, behavior: scrollBehavior() });
}

/** Scrolls until what is selected is in view. */
export function bringRangeIntoView(): void {
  const { bottom, top } = getSelection()!.getRangeAt(0).getBoundingClientRect();
  const by = scrollNeeded({ top, bottom }, { top: stickyHeight(), bottom: innerHeight - HINT_PIXELS });
  if (by !== 0) scrollBy({ top: by, behavior: scrollBehavior() });
}

/** The hint at the bottom of the page. */
const HINT_PIXELS = 50;

/** The height of the sticky elements at the top of the page. */
export function stickyHeight(): number {
  const bottoms = [...document.querySelectorAll<HTMLElement>('[data-sticky]')].map((element) => {
    const { position, top } = getComputedStyle(element);
    return position === 'sticky' ? Number.parseFloat(top) + element.offsetHeight : 0;
  });
  return Math.max(0, ...bottoms);
}

function scrollBehavior(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
}

export function scrollTo(element: HTMLElement | null | undefined): void {
  element?.scrollIntoView({ block: 'center', behavior: scrollBehavior() });
}

/** A click on text outside every highlight closes the open thread. */
export function leaveThread(event: PointerEvent, activate: (id: undefined) => void): void {
  const isButton = event.target instanceof Element && event.target.closest('mark, button, a');
  if (!isButton) activate(undefined);
}

/** Where highlights overlap, each click opens the next one. */
export function nextOf(ids: readonly string[], activeId: string | undefined): string {
  return ids[(ids.indexOf(activeId ?? '') + 1) % ids.length]!;
}

/** Calls back once for each comment named in the address, when everything is rendered. */
export function useJumpTo(id: string | undefined, isReady: boolean, jump: (id: string) => void): void {
  const done = useRef<string>(undefined);
  const latest = useRef(jump);
  useEffect(() => {
    latest.current = jump;
  });
  useEffect(() => {
    if (!id || !isReady || done.current === id) return;
    done.current = id;
    latest.current(id);
  }, [id, isReady]);
}

/** Calls back when the element has been in view. */
export function useSeen(element: RefObject<HTMLElement | null>, isReady: boolean, seen: () => void): void {
  const latest = useRef(seen);
  useEffect(() => {
    latest.current = seen;
  });
  useEffect(() => {
    if (!isReady || !element.current) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current();
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isReady]);
}
