/** A `suggestion` block: the lines that it would replace and the new ones, as a difference. */
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { compareLines } from '../../src/engines/text/index.ts';
import { CopyButton } from '../components/copy.tsx';
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
    () => compareLines(before.replace(/\n$/, ''), after.replace(/\n$/, '')),
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
          {lines.map(({ change, text }, index) => {
            const { className, name, sign } = LOOKS[change];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a difference never changes; another one is a new list.
              <span key={index} className={`suggested-line ${className}`} data-sign={sign}>
                {name && <span className="sr-only">{name}</span>}
                {text}
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
