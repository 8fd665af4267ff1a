/** Shows the beginning of something long, with a button for the rest. */
import { type ReactNode, useState } from 'react';

const CHARACTERS_A_LINE = 48;

export function Clamp({ text, lines, children }: { text: string; lines: number; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!isLong(text, lines)) return children;
  return (
    <div>
      <div
        className={isOpen ? '' : 'overflow-hidden mask-b-from-60%'}
        style={isOpen ? undefined : { maxHeight: `${lines * 1.5}rem` }}
        // Clamped content can't be reached by keyboard either.
        inert={!isOpen}
      >
        {children}
      </div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="mt-1 rounded text-xs font-medium text-accent hover:underline"
      >
        {isOpen ? 'Show less' : 'Show all'}
      </button>
    </div>
  );
}

/** Decided from the text alone, so that nothing has to be measured. */
function isLong(text: string, lines: number): boolean {
  let count = 0;
  for (const line of text.slice(0, lines * CHARACTERS_A_LINE * 2).split('\n')) {
    count += Math.max(1, Math.ceil(line.length / CHARACTERS_A_LINE));
  }
  return count > lines * 1.4;
}
