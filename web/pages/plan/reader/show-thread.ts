/** Brings a thread and its words into sight. */
import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { findHighlight } from '../../../markdown/index.ts';

/** Goes to a thread as if it had been looked for: its words in the middle, the keyboard at its card. */
export function showThread(id: string, text: HTMLElement | null): void {
  const mark = text && findHighlight(text, id);
  const card = document.querySelector<HTMLElement>(`[data-thread="${CSS.escape(id)}"]`);
  scrollTo(mark ?? card);
  card?.focus({ preventScroll: true });
}

/** Only when they are out of sight: whoever chose the card is looking at it. */
export function showHighlight(id: string, text: HTMLElement | null): void {
  const mark = text && findHighlight(text, id);
  if (!mark) return;
  const { bottom, top } = mark.getBoundingClientRect();
  if (bottom < 0 || top > innerHeight) scrollTo(mark);
}

export function scrollTo(element: HTMLElement | null | undefined): void {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element?.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' });
}

/** A press on the text beside every highlight closes the thread that is open. */
export function leaveThread(event: PointerEvent, activate: (id: undefined) => void): void {
  const isButton = event.target instanceof Element && event.target.closest('mark, button, a');
  if (!isButton) activate(undefined);
}

/** Of several highlights on one place, each press opens the next. */
export function nextOf(ids: readonly string[], activeId: string | undefined): string {
  return ids[(ids.indexOf(activeId ?? '') + 1) % ids.length]!;
}

/** Calls once for each comment that the address names, when everything is there. */
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

/** Calls when the element was in sight. */
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
