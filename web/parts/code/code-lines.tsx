/** Lines of code with their numbers, colored where the language is known; numbers select lines, or link somewhere. */
import '../../markdown/markdown.css';
import './code.css';
import { type CSSProperties, memo, type ReactNode, useMemo, useRef } from 'react';
import { formatNumber } from '../../components/format-number.ts';
import type { ColoredWord } from '../../markdown/color/code-colors.ts';
import { useColoredWords } from '../../markdown/color/use-colored-words.ts';
import { cutLine, type LinePart, wordsOfLines } from './line-parts.ts';
import { withMarks } from './marked-text.tsx';
import type { SelectedLines } from './selected-lines.ts';
import { useLineSelection } from './use-line-selection.ts';

export interface ShownLine {
  number: number;
  text: string;
  /** Matches as offsets into `text`. */
  ranges?: readonly { start: number; end: number }[];
  isMatch?: boolean;
}

/** Longer lines are cut: browsers take seconds to lay out a line of a million characters. */
const MAX_LINE_LENGTH = 2000;
/** Longer code gets no colors: the page would have too many elements. */
export const MAX_COLORED_LENGTH = 400_000;
/** Lines are rendered in parts: parts outside the viewport aren't laid out, and a selection re-renders only a few. */
const LINES_A_PART = 100;

interface CodeLinesProps {
  label: string;
  language: string;
  lines: readonly ShownLine[];
  selected?: SelectedLines;
  onSelect?(selected: SelectedLines): void;
  /** Replaces the selectable line number. */
  numberOf?(line: ShownLine): ReactNode;
  /** Shown before the number. */
  marginOf?: ((line: ShownLine) => ReactNode) | undefined;
}

export function CodeLines(props: CodeLinesProps) {
  const { label, language, lines, marginOf, numberOf, onSelect, selected } = props;
  const box = useRef<HTMLElement>(null);
  const shown = useMemo(() => lines.map(shorten), [lines]);
  const code = useMemo(() => shown.map(({ text }) => text).join('\n'), [shown]);
  const words = useColoredWords(box, code, language, MAX_COLORED_LENGTH);
  const parts = useMemo(() => cutIntoParts(shown, words), [shown, words]);
  const choosing = useLineSelection(selected, onSelect);
  const stop = lines.some(({ number }) => number === selected?.first) ? selected!.first : lines[0]?.number;
  const widths = {
    '--digits': `${String(lines.at(-1)?.number ?? 0).length}ch`,
    '--longest': `${shown.reduce((longest, { text }) => Math.max(longest, text.length), 0)}ch`,
  } as CSSProperties;
  return (
    <section
      ref={box}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="markdown code-lines py-2"
      style={widths}
      data-margin={marginOf !== undefined}
    >
      <div className="lines" {...choosing}>
        {parts.map(({ lines: own, words: ofLines }) => {
          const [first, last] = [own[0]!.number, own.at(-1)!.number];
          const isChosen = selected && selected.first <= last && first <= selected.last;
          return (
            <Part
              key={first}
              lines={own}
              words={ofLines}
              chosenFrom={isChosen ? selected.first : undefined}
              chosenTo={isChosen ? selected.last : undefined}
              stop={stop !== undefined && first <= stop && stop <= last ? stop : undefined}
              numberOf={numberOf}
              marginOf={marginOf}
            />
          );
        })}
      </div>
    </section>
  );
}

type CutLine = ShownLine & { leftOut: number };
type Words = readonly ColoredWord[];

interface PartProps {
  lines: readonly CutLine[];
  words: readonly Words[];
  chosenFrom: number | undefined;
  chosenTo: number | undefined;
  /** The line number that is in the tab order. */
  stop: number | undefined;
  numberOf: CodeLinesProps['numberOf'];
  marginOf: CodeLinesProps['marginOf'];
}

const Part = memo(function Part(props: PartProps) {
  const { chosenFrom, chosenTo, lines, marginOf, numberOf, stop, words } = props;
  return (
    <div
      className="part-of-lines"
      style={{ containIntrinsicBlockSize: `calc(${lines.length} * var(--line-height))` }}
    >
      {lines.map((line, index) => {
        const { isMatch, leftOut, number } = line;
        const isChosen = chosenFrom !== undefined && chosenFrom <= number && number <= chosenTo!;
        const isAfterGap = index > 0 && lines[index - 1]!.number !== number - 1;
        const looks = ['line', isChosen && 'selected', isMatch && 'match', isAfterGap && 'after-gap'];
        return (
          <div key={number} className={looks.filter(Boolean).join(' ')} data-line={number}>
            {marginOf?.(line)}
            {numberOf?.(line) ?? (
              <button
                type="button"
                className="number"
                data-number={number}
                aria-label={`Line ${number}`}
                aria-pressed={isChosen}
                tabIndex={number === stop ? 0 : -1}
              />
            )}
            <span className="text">
              {textOf(line, words[index])}
              {leftOut > 0 && (
                <span className="left-out" data-words={` … ${formatNumber(leftOut)} more characters`} />
              )}
            </span>
          </div>
        );
      })}
    </div>
  );
});

function textOf({ ranges = [], text }: CutLine, words: Words = []): ReactNode {
  if (ranges.length === 0 && words.length === 0) return withMarks(text);
  const parts = cutLine(text, words, ranges);
  const shown: ReactNode[] = [];
  for (let index = 0; index < parts.length; ) {
    const { match, start } = parts[index]!;
    let end = index + 1;
    // A match is one mark element, regardless of how many colors it contains.
    if (match !== undefined) while (parts[end]?.match === match) end += 1;
    const inside = parts.slice(index, end).map(colored);
    shown.push(match === undefined ? inside : <mark key={`match ${start}`}>{inside}</mark>);
    index = end;
  }
  return shown;
}

function colored({ kind, start, text }: LinePart): ReactNode {
  return (
    <span key={start} className={kind && `code-${kind}`}>
      {withMarks(text)}
    </span>
  );
}

/** Without a trailing carriage return, and cut to the maximum length. */
function shorten(line: ShownLine): CutLine {
  const { text } = line;
  if (text.length <= MAX_LINE_LENGTH)
    return { ...line, text: text.endsWith('\r') ? text.slice(0, -1) : text, leftOut: 0 };
  const last = text.charCodeAt(MAX_LINE_LENGTH - 1);
  // Not in the middle of a character.
  const length = last >= 0xd800 && last < 0xdc00 ? MAX_LINE_LENGTH - 1 : MAX_LINE_LENGTH;
  return { ...line, text: text.slice(0, length), leftOut: text.length - length };
}

function cutIntoParts(
  lines: readonly CutLine[],
  words: readonly ColoredWord[],
): Pick<PartProps, 'lines' | 'words'>[] {
  const byLine = wordsOfLines(
    lines.map(({ text }) => text),
    words,
  );
  return Array.from({ length: Math.ceil(lines.length / LINES_A_PART) }, (_, part) => {
    const [from, to] = [part * LINES_A_PART, (part + 1) * LINES_A_PART];
    return { lines: lines.slice(from, to), words: byLine.slice(from, to) };
  });
}
