/** Old and new text merged into one, with removed and added words marked. */
import { useMemo } from 'react';
import { compareWords, type WordPiece } from '../../../../src/engines/text/index.ts';
import { Clamp } from '../../../components/clamp.tsx';

export function ChangedWords({ before, after }: { before: string; after: string }) {
  const words = useMemo(() => compareWords(before, after).pieces, [before, after]);
  return (
    <Clamp text={before + after} lines={6}>
      <p className="border-l-2 border-line pl-2.5 text-[0.8125rem] leading-relaxed wrap-anywhere whitespace-pre-wrap text-quiet">
        <Words words={words} />
      </p>
    </Clamp>
  );
}

export function Words({ words }: { words: readonly WordPiece[] }) {
  return words.map(({ change, text }, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: a difference never changes; another one is a new list.
    if (change === 'same') return <span key={index}>{text}</span>;
    const Element = change === 'added' ? 'ins' : 'del';
    return (
      <Element
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        key={index}
        className={
          change === 'added'
            ? 'ml-px rounded-sm bg-good-soft text-text no-underline'
            : 'mr-px rounded-sm bg-danger-soft text-text line-through decoration-text/40'
        }
      >
        {text}
      </Element>
    );
  });
}
