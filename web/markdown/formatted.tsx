/** Renders a parsed text; a long one in parts, so that the page stays responsive. */
import { memo, startTransition, useEffect, useId, useMemo, useState } from 'react';
import { ID_PREFIX } from './address.ts';
import { BlockNode, FootnoteItem } from './blocks.tsx';
import { IdPrefixes } from './inline.tsx';
import { arePaintedAlike, type PlacedHighlight } from './paint.ts';
import { type OpenHighlight, Painting } from './painted-text.tsx';
import { SOURCE_NOTES } from './selection.ts';
import type { Block, Footnote, MarkdownTree } from './tree.ts';

/** How much of the source is rendered at a time. */
const PART_LENGTH = 8000;

interface FormattedProps {
  tree: MarkdownTree;
  highlights: readonly PlacedHighlight[];
  open: OpenHighlight | undefined;
  /** Whether fragments such as `#the-change` link to its headings. */
  hasOutline: boolean;
  /** Called once everything is rendered. */
  onReady?(): void;
}

export function Formatted({ tree, highlights, open, hasOutline, onReady }: FormattedProps) {
  const noteId = useId();
  const prefixes = useMemo(
    () => ({ note: `${noteId}-note-`, heading: hasOutline ? ID_PREFIX : undefined }),
    [noteId, hasOutline],
  );
  const parts = useMemo(() => cutIntoParts(tree.blocks), [tree]);
  const [shown, setShown] = useState(1);
  const isComplete = shown >= parts.length;
  useEffect(() => {
    if (isComplete) {
      onReady?.();
      return;
    }
    const timer = setTimeout(() => startTransition(() => setShown(shown + 1)));
    return () => clearTimeout(timer);
  }, [isComplete, shown, onReady]);
  return (
    <IdPrefixes value={prefixes}>
      {parts.slice(0, shown).map((blocks) => (
        // Only long texts are laid out in parts, because parts clip what overflows them, such as focus rings.
        <div key={blocks[0]!.start} className={parts.length > 1 ? 'part part-of-many' : 'part'}>
          <Part blocks={blocks} highlights={within(blocks, highlights)} open={open} />
        </div>
      ))}
      {isComplete && tree.footnotes.length > 0 && (
        <section {...SOURCE_NOTES} className="footnotes" aria-label="Notes">
          <Notes notes={tree.footnotes} highlights={within(tree.footnotes, highlights)} open={open} />
        </section>
      )}
    </IdPrefixes>
  );
}

interface PartProps {
  blocks: readonly Block[];
  highlights: readonly PlacedHighlight[];
  open: OpenHighlight | undefined;
}

const Part = memo(
  function Part({ blocks, highlights, open }: PartProps) {
    return blocks.map((block) => (
      <TopBlock key={block.start} block={block} highlights={within([block], highlights)} open={open} />
    ));
  },
  (before, now) => before.blocks === now.blocks && looksAlike(before, now),
);

interface TopBlockProps {
  block: Block;
  highlights: readonly PlacedHighlight[];
  open: OpenHighlight | undefined;
}

const TopBlock = memo(
  function TopBlock({ block, highlights, open }: TopBlockProps) {
    return (
      <Painting value={{ highlights, open }}>
        <BlockNode block={block} />
      </Painting>
    );
  },
  (before, now) => before.block === now.block && looksAlike(before, now),
);

function Notes({ notes, highlights, open }: { notes: readonly Footnote[] } & Omit<PartProps, 'blocks'>) {
  return (
    <Painting value={{ highlights, open }}>
      <ol>
        {notes.map((note) => (
          <FootnoteItem key={note.number} note={note} />
        ))}
      </ol>
    </Painting>
  );
}

type Look = Pick<PartProps, 'highlights' | 'open'>;

function looksAlike(before: Look, now: Look): boolean {
  return before.open === now.open && arePaintedAlike(before.highlights, now.highlights);
}

function within(
  places: readonly { start: number; end: number }[],
  highlights: readonly PlacedHighlight[],
): readonly PlacedHighlight[] {
  if (highlights.length === 0) return highlights;
  const start = Math.min(...places.map((place) => place.start));
  const end = Math.max(...places.map((place) => place.end));
  return highlights.filter((highlight) => highlight.start < end && start < highlight.end);
}

function cutIntoParts(blocks: readonly Block[]): Block[][] {
  const parts: Block[][] = [];
  for (const block of blocks) {
    const part = parts.at(-1);
    if (part && block.end - part[0]!.start <= PART_LENGTH) part.push(block);
    else parts.push([block]);
  }
  return parts;
}
