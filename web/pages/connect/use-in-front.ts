/** Whether the page has been visible long enough that a click is meant for it and not for what was there before. */
import { useEffect, useState } from 'react';

const MOMENT_MS = 500;

export function useInFront(): boolean {
  const [inFront, setInFront] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      clearTimeout(timer);
      setInFront(false);
      timer = setTimeout(() => setInFront(true), MOMENT_MS);
    };
    wait();
    // Another window over this one may have closed between the two clicks of a double click (clickjacking).
    addEventListener('focus', wait);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', wait);
    };
  }, []);
  return inFront;
}
