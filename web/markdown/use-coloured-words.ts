/** The colours of a block of code, found when it comes into sight. */
import { type RefObject, useEffect, useState } from 'react';
import type { ColouredWord, ColourQuestion } from './code-colours.ts';
import { languageNamed } from './languages.ts';
import { PatientWorker } from './patient-worker.ts';
import { useNearby } from './use-nearby.ts';

/** Longer code is hardly read; colouring it would fill the page with elements. */
const LONGEST_CODE = 50_000;
const TIMEOUT_MS = 4000;

const worker = new PatientWorker<ColouredWord[]>(
  () => new Worker(new URL('./colour-worker.ts', import.meta.url), { type: 'module' }),
  TIMEOUT_MS,
);

const NONE: ColouredWord[] = [];

/** Empty until they are known, and where there are none. */
export function useColouredWords(
  element: RefObject<HTMLElement | null>,
  code: string,
  language: string,
): ColouredWord[] {
  const known = code.length <= LONGEST_CODE ? languageNamed(language) : undefined;
  const isNearby = useNearby(element);
  const [words, setWords] = useState(NONE);
  useEffect(() => {
    if (!known || !isNearby) return;
    let isWanted = true;
    const question: ColourQuestion = { code, language: known };
    worker.ask(question).then((answer) => {
      if (isWanted) setWords(answer ?? NONE);
    });
    return () => {
      isWanted = false;
    };
  }, [code, known, isNearby]);
  return words;
}
