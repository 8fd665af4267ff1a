/** Reports when a selection inside a text is complete, and when it is cleared. */
import { type RefObject, useEffect, useRef } from 'react';
import { selectionToSource } from './selection.ts';
import type { SourceRange } from './tree.ts';

export interface SelectedText extends SourceRange {
  /** The slice of the source. */
  quote: string;
  /** Where the selection is on the screen. */
  rect: DOMRect;
}

/** A selection made by keyboard or touch handles has no end event: it is complete when it stops changing. */
const REST_MS = 200;

export function useSelectedText(
  view: RefObject<HTMLElement | null>,
  content: string,
  onSelect: ((selected: SelectedText | undefined) => void) | undefined,
): void {
  const latest = useRef({ content, onSelect });
  useEffect(() => {
    latest.current = { content, onSelect };
  });
  const isWanted = onSelect !== undefined;
  useEffect(() => {
    if (!isWanted) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isPressed = false;
    let last: SelectedText | undefined;
    const report = () => {
      const selected = selectedIn(view.current, latest.current.content);
      if (selected?.start === last?.start && selected?.end === last?.end) return;
      last = selected;
      latest.current.onSelect?.(selected);
    };
    const wait = () => {
      clearTimeout(timer);
      if (!isPressed) timer = setTimeout(report, REST_MS);
    };
    const press = () => {
      isPressed = true;
      clearTimeout(timer);
    };
    const release = () => {
      isPressed = false;
      clearTimeout(timer);
      // A click on selected text clears the selection only after the button is released.
      timer = setTimeout(report);
    };
    const leaving = new AbortController();
    const { signal } = leaving;
    document.addEventListener('selectionchange', wait, { signal });
    document.addEventListener('pointerdown', press, { signal });
    for (const name of ['pointerup', 'pointercancel']) document.addEventListener(name, release, { signal });
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [isWanted, view]);
}

function selectedIn(view: HTMLElement | null, content: string): SelectedText | undefined {
  const selection = getSelection();
  const range = selectionToSource(selection);
  if (!selection || !range || !view?.contains(selection.anchorNode)) return undefined;
  return {
    ...range,
    quote: content.slice(range.start, range.end),
    rect: selection.getRangeAt(0).getBoundingClientRect(),
  };
}
