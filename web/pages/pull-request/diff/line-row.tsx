/** A line in one column, or two lines side by side. */
import { memo, type ReactNode } from 'react';
import { formatNumber } from '../../../components/format-number.ts';
import { cutLine } from '../../../parts/code/line-parts.ts';
import { withMarks } from '../../../parts/code/marked-text.tsx';
import { changedParts } from './changed-parts.ts';
import { type DiffLine, lineNumber } from './diff-lines.ts';
import type { Side } from './diff-types.ts';
import type { Words } from './line-colors.ts';
import { CELL, namedCell } from './table-roles.ts';

/** Longer lines are cut: browsers take seconds to lay out a line of a million characters. */
const MAX_LINE_LENGTH = 2000;

export interface LineRowProps {
  left: DiffLine | undefined;
  right: DiffLine | undefined;
  columns: 1 | 2;
  leftWords: Words | undefined;
  rightWords: Words | undefined;
  /** Sides of the line that are selected. */
  chosen: Side | undefined;
  /** The side whose number is in the tab order: only there is a button, because there are many lines. */
  stop: Side | undefined;
}

export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { chosen, columns, left, leftWords, right, rightWords, stop } = props;
  const sideOf = (side: Side) => ({ side, isChosen: chosen === side, isStop: stop === side });
  if (columns === 2) {
    return (
      <>
        <NumberCell line={left} {...sideOf('old')} />
        <SignCell line={left} isChosen={chosen === 'old'} />
        <TextCell line={left} words={leftWords} isChosen={chosen === 'old'} />
        <NumberCell line={right} {...sideOf('new')} />
        <SignCell line={right} isChosen={chosen === 'new'} />
        <TextCell line={right} words={rightWords} isChosen={chosen === 'new'} />
      </>
    );
  }
  const line = right ?? left;
  return (
    <>
      <NumberCell line={left} kind={line?.kind} {...sideOf('old')} />
      <NumberCell line={right} kind={line?.kind} {...sideOf('new')} />
      <SignCell line={line} isChosen={chosen !== undefined} />
      <TextCell line={line} words={right ? rightWords : leftWords} isChosen={chosen !== undefined} />
    </>
  );
});

const SIGNS = { same: '', added: '+', removed: '−' };
const NAMES = { same: undefined, added: 'added', removed: 'removed' };

function NumberCell(props: {
  line: DiffLine | undefined;
  kind?: DiffLine['kind'];
  side: Side;
  isChosen: boolean;
  isStop: boolean;
}) {
  const { isChosen, isStop, kind, line, side } = props;
  const number = line && lineNumber(line, side);
  return (
    <span
      {...CELL}
      className="number"
      data-side={side}
      data-number={number}
      data-kind={kind ?? line?.kind ?? 'none'}
      data-chosen={isChosen || undefined}
    >
      {number !== undefined && isStop && (
        <button type="button" aria-label={`${side === 'old' ? 'Old' : 'New'} line ${number}`} />
      )}
    </span>
  );
}

function SignCell({ line, isChosen }: { line: DiffLine | undefined; isChosen: boolean }) {
  return (
    <span
      {...namedCell(line && NAMES[line.kind])}
      className="sign"
      data-kind={line?.kind ?? 'none'}
      data-chosen={isChosen || undefined}
      data-sign={line && SIGNS[line.kind]}
    />
  );
}

function TextCell(props: { line: DiffLine | undefined; words: Words | undefined; isChosen: boolean }) {
  const { isChosen, line, words } = props;
  return (
    <span {...CELL} className="text" data-kind={line?.kind ?? 'none'} data-chosen={isChosen || undefined}>
      {line && <LineText line={line} words={words} />}
      {line?.isUnterminated && (
        <span className="unterminated" title="No newline at the end of the file">
          {' '}
          ⏎ no newline
        </span>
      )}
    </span>
  );
}

const NO_WORDS: Words = [];

/** The text with its colors; words that changed are marked. */
function LineText({ line, words = NO_WORDS }: { line: DiffLine; words: Words | undefined }): ReactNode {
  if (line.text.length > MAX_LINE_LENGTH)
    return [withMarks(line.text.slice(0, MAX_LINE_LENGTH)), <LeftOut key="rest" line={line} />];
  const text = line.text.endsWith('\r') ? line.text.slice(0, -1) : line.text;
  const parts = changedParts(line);
  if (words.length === 0 && parts.length === 0) return withMarks(text);
  return cutLine(text, words, parts).map(({ kind, match, start, text: part }) => {
    const shown = withMarks(part);
    if (match === undefined && kind === undefined)
      return typeof shown === 'string' ? shown : <span key={start}>{shown}</span>;
    const Element = match === undefined ? 'span' : 'mark';
    return (
      <Element key={start} className={kind && `code-${kind}`}>
        {shown}
      </Element>
    );
  });
}

function LeftOut({ line }: { line: DiffLine }) {
  const count = formatNumber(line.text.length - MAX_LINE_LENGTH);
  return <span className="unterminated"> … {count} more characters</span>;
}
