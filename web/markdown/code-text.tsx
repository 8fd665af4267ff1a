/** The text of a code block, in its own scroll container. */
import type { ReactNode } from 'react';
import { PaintedText } from './painted-text.tsx';
import { rememberPieces, SOURCE_TEXT } from './selection.ts';
import type { Piece } from './tree.ts';

interface CodeTextProps {
  pieces: readonly Piece[];
  show?(text: string, position: number): ReactNode;
}

export function CodeText({ pieces, show }: CodeTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <pre tabIndex={0}>
      <code {...SOURCE_TEXT} ref={(element) => rememberPieces(element, () => pieces)}>
        <PaintedText pieces={pieces} show={show} />
      </code>
    </pre>
  );
}
