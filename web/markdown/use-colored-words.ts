/** The colors of a code block, computed when it scrolls into view. */
import { type RefObject, useEffect, useState } from 'react';
import type { ColoredWord, ColorRequest } from './code-colors.ts';
import { languageNamed } from './languages.ts';
import { ReusableWorker } from './reusable-worker.ts';
import { useNearby } from './use-nearby.ts';

/** Longer code isn't colored: it would add too many elements. */
const MAX_CODE_LENGTH = 50_000;
const TIMEOUT_MS = 4000;

const worker = new ReusableWorker<ColoredWord[]>(
  () => new Worker(new URL('./color-worker.ts', import.meta.url), { type: 'module' }),
  TIMEOUT_MS,
);

const NONE: ColoredWord[] = [];

/** Empty until computed, or if there are none. */
export function useColoredWords(
  element: RefObject<HTMLElement | null>,
  code: string,
  language: string,
  maxLength = MAX_CODE_LENGTH,
): ColoredWord[] {
  const known = code.length <= maxLength ? languageNamed(language) : undefined;
  const isNearby = useNearby(element);
  const [words, setWords] = useState(NONE);
  useEffect(() => {
    if (!known || !isNearby) return;
    let isWanted = true;
    const question: ColorRequest = { code, language: known };
    worker.ask(question).then((answer) => {
      if (isWanted) setWords(answer ?? NONE);
    });
    return () => {
      isWanted = false;
    };
  }, [code, known, isNearby]);
  return words;
}
