/** Whether an element is on the screen or will soon be; once it was, it stays so. */
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
