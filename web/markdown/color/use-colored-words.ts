/** The colors of a code block, computed when it scrolls into view. */
import { type RefObject, useEffect, useState } from 'react';
import { useNearby } from '../use-nearby.ts';
import type { ColoredWord } from './code-colors.ts';
import { colorCode } from './color-code.ts';

/** Longer code isn't colored: it would add too many elements. */
const MAX_CODE_LENGTH = 50_000;

const NONE: ColoredWord[] = [];

/** Empty until computed, or if there are none. */
export function useColoredWords(
  element: RefObject<HTMLElement | null>,
  code: string,
  language: string,
  maxLength = MAX_CODE_LENGTH,
): ColoredWord[] {
  const isNearby = useNearby(element);
  const [words, setWords] = useState(NONE);
  useEffect(() => {
    if (code.length > maxLength || !isNearby) return;
    let isWanted = true;
    colorCode(code, language).then((answer) => {
      if (isWanted) setWords(answer);
    });
    return () => {
      isWanted = false;
    };
  }, [code, language, isNearby, maxLength]);
  return words;
}
