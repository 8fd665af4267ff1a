/** Whether an element has been in or near the viewport; once true, it stays true. */
import { type RefObject, useEffect, useState } from 'react';

const NEARBY = '800px';

export function useNearby(element: RefObject<Element | null>): boolean {
  const [isNearby, setIsNearby] = useState(false);
  useEffect(() => {
    if (isNearby || !element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setIsNearby(true);
      },
      { rootMargin: NEARBY },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isNearby]);
  return isNearby;
}
