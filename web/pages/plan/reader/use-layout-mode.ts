/** How many columns the page has room for, by its own width rather than the window's. */
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** `wide`: contents, text, comments. `middle`: text, comments. `narrow`: text alone. */
export type LayoutMode = 'wide' | 'middle' | 'narrow';

const WIDE_PIXELS = 980;
const MIDDLE_PIXELS = 760;

export function useLayoutMode<Element extends HTMLElement>(): [RefObject<Element | null>, LayoutMode] {
  const element = useRef<Element>(null);
  const [mode, setMode] = useState<LayoutMode>('middle');
  useLayoutEffect(() => {
    const measured = element.current!;
    const look = () => {
      const { width } = measured.getBoundingClientRect();
      setMode(width >= WIDE_PIXELS ? 'wide' : width >= MIDDLE_PIXELS ? 'middle' : 'narrow');
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(measured);
    return () => observer.disconnect();
  }, []);
  return [element, mode];
}
