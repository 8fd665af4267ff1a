/** How many letters fit in a line of code. */
import { type RefObject, useLayoutEffect, useState } from 'react';

/** Beside the text: numbers, sign and padding, in pixels. */
const BESIDE = 170;
const BESIDE_ON_PHONE = 90;
const SAMPLE_LETTERS = 100;

export function useLettersALine(box: RefObject<HTMLElement | null>, columns: 1 | 2): number {
  const [letters, setLetters] = useState(80);
  useLayoutEffect(() => {
    const element = box.current!;
    const letterWidth = measureLetter(element);
    const look = () => {
      const width = element.clientWidth / columns;
      const beside = innerWidth < 640 ? BESIDE_ON_PHONE : columns === 2 ? BESIDE / 2 + 20 : BESIDE;
      setLetters(Math.max(8, Math.floor((width - beside) / letterWidth)));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, columns]);
  return letters;
}

function measureLetter(within: HTMLElement): number {
  const row = document.createElement('div');
  row.className = 'diff-line';
  row.style.display = 'inline';
  row.style.visibility = 'hidden';
  row.textContent = 'm'.repeat(SAMPLE_LETTERS);
  within.append(row);
  const width = row.getBoundingClientRect().width / SAMPLE_LETTERS;
  row.remove();
  return width || 8;
}
