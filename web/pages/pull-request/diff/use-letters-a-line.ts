/** How many letters fit in a line of code. */
import { type RefObject, useLayoutEffect, useState } from 'react';

const SAMPLE_LETTERS = 100;

export function useLettersALine(box: RefObject<HTMLElement | null>, columns: 1 | 2): number {
  const [letters, setLetters] = useState(80);
  // biome-ignore lint/correctness/useExhaustiveDependencies: in two columns a line has half the room.
  useLayoutEffect(() => {
    let width: number | undefined;
    // Its height changes with every file that arrives.
    const look = (now: number) => {
      if (now === width) return;
      width = now;
      setLetters(measureLetters(box.current!));
    };
    look(box.current!.getBoundingClientRect().width);
    const observer = new ResizeObserver(([entry]) => look(entry!.contentRect.width));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, [box, columns]);
  return letters;
}

/** Lays out a line with a sample in it. */
function measureLetters(box: HTMLElement): number {
  const row = document.createElement('div');
  row.className = 'markdown diff-line';
  row.style.visibility = 'hidden';
  const cells =
    box.dataset.columns === '2' ? ['number', 'sign', 'text'] : ['number', 'number', 'sign', 'text'];
  for (const name of cells) {
    const cell = document.createElement('span');
    cell.className = name;
    row.append(cell);
  }
  // On a phone only one of the two numbers is shown.
  (row.firstChild as HTMLElement).dataset.number = '1';
  const sample = document.createElement('span');
  sample.style.position = 'absolute';
  sample.style.whiteSpace = 'pre';
  sample.textContent = 'm'.repeat(SAMPLE_LETTERS);
  const text = row.lastChild as HTMLElement;
  text.append(sample);
  box.append(row);
  const letter = sample.getBoundingClientRect().width / SAMPLE_LETTERS;
  const room = text.getBoundingClientRect().width - Number.parseFloat(getComputedStyle(text).paddingRight);
  row.remove();
  return letter > 0 ? Math.max(8, Math.floor(room / letter)) : 80;
}
