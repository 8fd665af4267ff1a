/** Whether the page has been in front of the person for a moment, so that a click is meant for it and not for what was there before. */
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
    // Another window closed over this one, perhaps between the two clicks of a double click that it had asked for.
    addEventListener('focus', wait);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', wait);
    };
  }, []);
  return inFront;
}
