/** A text as its source, with the reason why it isn't formatted; it can still be selected and highlighted. */
import { useEffect, useMemo } from 'react';
import { Notice } from '../components/notice.tsx';
import { PaintedText } from './painted-text.tsx';
import { rememberPieces, SOURCE_TEXT } from './selection.ts';
import type { Piece, RefusedReason } from './tree.ts';

const WHY: Record<RefusedReason, string> = {
  deep: 'it’s nested too deeply',
  large: 'it has too many elements',
  slow: 'formatting it takes too long',
  broken: 'it couldn’t be parsed as Markdown',
};

/** Lines are shown in parts of about this length, so that the browser lays out only the visible ones. */
const PART_LENGTH = 8192;

interface PlainSourceProps {
  content: string;
  reason: RefusedReason;
  onReady?(): void;
}

export function PlainSource({ content, reason, onReady }: PlainSourceProps) {
  const parts = useMemo(() => cutIntoParts(content), [content]);
  useEffect(() => onReady?.(), [onReady]);
  return (
    <>
      <Notice kind="warn">This text is shown as source because {WHY[reason]}.</Notice>
      <div className="plain-source">
        {parts.map((part) => (
          <pre key={part.start} {...SOURCE_TEXT} ref={(element) => rememberPieces(element, () => [part])}>
            <PaintedText pieces={[part]} />
          </pre>
        ))}
      </div>
    </>
  );
}

/** Splits after line breaks where possible; a very long line is split anyway. */
export function cutIntoParts(content: string): Piece[] {
  const parts: Piece[] = [];
  for (let start = 0; start < content.length; ) {
    const most = Math.min(start + PART_LENGTH, content.length);
    const lineEnd = most === content.length ? most : content.lastIndexOf('\n', most - 1) + 1;
    const end = lineEnd > start ? lineEnd : most;
    parts.push({ text: content.slice(start, end), start, end });
    start = end;
  }
  return parts;
}
