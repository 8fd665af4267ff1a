/** A `suggestion` block: the lines that it would replace and the new ones, as a difference. */
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { compareLines } from '../../src/engines/text/index.ts';
import { CopyButton } from '../components/copy.tsx';
import { changedWords, type Part } from './changed-words.ts';
import type { BlockOf } from './tree.ts';

/** The text that suggestions replace; undefined where there is none. */
export const SuggestionBase = createContext<string | undefined>(undefined);

/** Actions on a suggestion, by the offset of its block; shown below it. */
export const SuggestionActions = createContext<((start: number) => ReactNode) | undefined>(undefined);

const LOOKS = {
  same: { sign: ' ', name: '', className: '' },
  added: { sign: '+', name: 'added: ', className: 'added' },
  removed: { sign: '−', name: 'removed: ', className: 'removed' },
};

export function Suggestion({ before, block }: { before: string; block: BlockOf<'code'> }) {
  const actions = useContext(SuggestionActions)?.(block.start);
  const after = block.pieces.map(({ text }) => text).join('');
  const lines = useMemo(
    () => withChangedWords(compareLines(before.replace(/\n$/, ''), after.replace(/\n$/, ''))),
    [before, after],
  );
  return (
    <figure className="code-block suggestion">
      <figcaption>
        <span>Suggested change</span>
        <CopyButton small text={after} name="Copy the suggestion" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>
        <code>
          {lines.map(({ change, parts, text }, index) => {
            const { className, name, sign } = LOOKS[change];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a difference never changes; another one is a new list.
              <span key={index} className={`suggested-line ${className}`} data-sign={sign}>
                {name && <span className="sr-only">{name}</span>}
                {marked(text, parts)}
                {'\n'}
              </span>
            );
          })}
        </code>
      </pre>
      {actions && <div className="suggestion-actions">{actions}</div>}
    </figure>
  );
}

type Line = ReturnType<typeof compareLines>[number];
const WHOLE: readonly Part[] = [];

/** The first of some removed lines is compared with the first that was added in their place, and so on. */
function withChangedWords(lines: readonly Line[]): (Line & { parts: readonly Part[] })[] {
  const marked = lines.map((line) => ({ ...line, parts: WHOLE }));
  for (let first = 0; first < marked.length; ) {
    const runOf = (change: Line['change'], from: number) => {
      const end = marked.findIndex((line, index) => index >= from && line.change !== change);
      return marked.slice(from, end === -1 ? marked.length : end);
    };
    const removed = runOf('removed', first);
    const added = runOf('added', first + removed.length);
    for (const [index, line] of removed.entries()) {
      const other = added[index];
      if (other) [line.parts, other.parts] = changedWords(line.text, other.text);
    }
    first += Math.max(1, removed.length + added.length);
  }
  return marked;
}

function marked(text: string, parts: readonly Part[]): ReactNode {
  if (parts.length === 0) return text;
  return [
    ...parts.flatMap(({ end, start }, index) => [
      text.slice(index === 0 ? 0 : parts[index - 1]!.end, start),
      <span key={start} className="changed-word">
        {text.slice(start, end)}
      </span>,
    ]),
    text.slice(parts.at(-1)!.end),
  ];
}
