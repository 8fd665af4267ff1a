/** A whole Markdown text, such as a plan: formatted, with highlights, and with selections mapped to the source. */
import './markdown.css';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { Formatted } from './formatted.tsx';
import { type Highlight, placeHighlights } from './paint.ts';
import { type OpenHighlight, Painting } from './painted-text.tsx';
import { useKeptMarkdown } from './parse/use-kept-markdown.ts';
import { cutIntoParts, PlainSource } from './plain-source.tsx';
import { SOURCE_VIEW } from './selection.ts';
import { allPiecesOf, type Parsed } from './tree.ts';
import { type SelectedText, useSelectedText } from './use-selected-text.ts';

export interface MarkdownViewProps {
  content: string;
  /** Ranges of the source to highlight; they may overlap. */
  highlights?: readonly Highlight[];
  /** Called when a selection inside the text is complete, and with undefined when it is cleared. */
  onSelect?(selected: SelectedText | undefined): void;
  /** Called with the ids of all highlights at the position, shortest first. Without it, highlights aren't clickable. */
  onHighlightClick?: OpenHighlight;
  /** Called when everything is rendered and can be scrolled to and measured. */
  onReady?(): void;
}

const NO_HIGHLIGHTS: readonly Highlight[] = [];

export function MarkdownView(props: MarkdownViewProps) {
  const { content, highlights = NO_HIGHLIGHTS, onSelect } = props;
  const { key, parsed } = useKeptMarkdown(content);
  const view = useRef<HTMLDivElement>(null);
  useSelectedText(view, content, onSelect);
  const pieces = useMemo(() => piecesIn(content, parsed), [content, parsed]);
  const placed = useMemo(() => placeHighlights(pieces, highlights), [pieces, highlights]);
  const open = useSteady(props.onHighlightClick);
  const ready = useSteady(props.onReady);
  return (
    <div ref={view} {...SOURCE_VIEW} className="markdown" aria-busy={!parsed}>
      {!parsed && <Formatting />}
      {parsed?.kind === 'tree' && (
        <Formatted key={key} tree={parsed.tree} highlights={placed} open={open} hasOutline onReady={ready} />
      )}
      {parsed?.kind === 'refused' && (
        <Painting value={{ highlights: placed, open }}>
          <PlainSource content={content} reason={parsed.reason} onReady={ready} />
        </Painting>
      )}
    </div>
  );
}

function piecesIn(content: string, parsed: Parsed | undefined) {
  if (!parsed) return [];
  return parsed.kind === 'tree' ? allPiecesOf(parsed.tree) : cutIntoParts(content);
}

/** A stable callback, so that a new function doesn't cause a render. */
function useSteady<Arguments extends unknown[]>(
  latest: ((...given: Arguments) => void) | undefined,
): ((...given: Arguments) => void) | undefined {
  const current = useRef(latest);
  useEffect(() => {
    current.current = latest;
  });
  const steady = useCallback((...given: Arguments) => current.current?.(...given), []);
  return latest && steady;
}

function Formatting() {
  return (
    <div role="status" className="grid gap-3 py-2">
      <span className="sr-only">Formatting</span>
      {['w-2/5', 'w-full', 'w-11/12', 'w-4/5', 'w-full', 'w-3/5'].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: these lines never change places.
        <div key={index} className={`h-3.5 animate-pulse rounded bg-line ${width}`} />
      ))}
    </div>
  );
}
