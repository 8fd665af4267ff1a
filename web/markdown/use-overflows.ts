/** Whether an element's content is wider than the element, so that it scrolls. */
import { type RefObject, useEffect, useState } from 'react';

export function useOverflows(element: RefObject<HTMLElement | null>): boolean {
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const measured = element.current;
    if (!measured) return;
    const observer = new ResizeObserver(() => setOverflows(measured.scrollWidth > measured.clientWidth + 1));
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return overflows;
}
