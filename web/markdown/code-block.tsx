/** A code block, with syntax highlighting where its language is known. */
import { type ReactNode, useRef } from 'react';
import { CopyButton } from '../components/copy.tsx';
import { CodeText } from './code-text.tsx';
import type { ColoredWord } from './color/code-colors.ts';
import { useColoredWords } from './color/use-colored-words.ts';
import type { BlockOf } from './tree.ts';

export function CodeBlock({ block }: { block: BlockOf<'code'> }) {
  const { language, pieces } = block;
  const element = useRef<HTMLElement>(null);
  const code = pieces.map((piece) => piece.text).join('');
  const words = useColoredWords(element, code, language);
  return (
    <figure className="code-block" ref={element}>
      <figcaption>
        <span>{language || 'text'}</span>
        <CopyButton small text={code} name="Copy the code" />
      </figcaption>
      <CodeText pieces={pieces} show={(text, position) => inColors(text, position, words)} />
    </figure>
  );
}

/** A part of the code, starting at an offset, with its colored words. */
function inColors(text: string, position: number, words: readonly ColoredWord[]): ReactNode {
  const shown: ReactNode[] = [];
  let done = 0;
  for (let index = firstEndingAfter(position, words); index < words.length; index++) {
    const [start, end, kind] = words[index]!;
    const from = Math.max(0, start - position);
    const to = Math.min(text.length, end - position);
    if (from >= text.length) break;
    if (from > done) shown.push(text.slice(done, from));
    shown.push(
      <span key={start} className={`code-${kind}`}>
        {text.slice(from, to)}
      </span>,
    );
    done = to;
  }
  if (done < text.length) shown.push(text.slice(done));
  return shown;
}

function firstEndingAfter(position: number, words: readonly ColoredWord[]): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle]![1] > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
