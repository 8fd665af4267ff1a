/** Text made of pieces of the source, with its highlights. */
import { createContext, type KeyboardEvent, type ReactNode, useContext } from 'react';
import { type PlacedHighlight, paint, type Stretch } from './paint.ts';
import type { Piece } from './tree.ts';

export type OpenHighlight = (ids: string[], element: HTMLElement) => void;

/** The highlights of the block that is being rendered, and the click handler. */
export const Painting = createContext<{
  highlights: readonly PlacedHighlight[];
  open: OpenHighlight | undefined;
}>({ highlights: [], open: undefined });

interface PaintedTextProps {
  pieces: readonly Piece[];
  /** Custom rendering of a part of the text, such as colored code. */
  show?(text: string, position: number): ReactNode;
}

export function PaintedText({ pieces, show = (text) => text }: PaintedTextProps) {
  const { highlights, open } = useContext(Painting);
  let position = 0;
  return paint(pieces, highlights).map((stretch) => {
    const at = position;
    position += stretch.text.length;
    const shown = show(stretch.text, at);
    if (stretch.highlights.length === 0) return <Part key={at}>{shown}</Part>;
    return (
      <Mark key={at} stretch={stretch} open={open}>
        {shown}
      </Mark>
    );
  });
}

function Part({ children }: { children: ReactNode }) {
  return children;
}

interface MarkProps {
  stretch: Stretch;
  open: OpenHighlight | undefined;
  children: ReactNode;
}

function Mark({ stretch: { highlights, begins }, open, children }: MarkProps) {
  const ids = highlights.map(({ id }) => id);
  const labels = highlights.flatMap(({ label }) => label ?? []).join('; ');
  const look = {
    'data-highlight': ids.join(' '),
    'data-tone': strongest(highlights),
    title: labels || undefined,
  };
  if (!open) return <mark {...look}>{children}</mark>;
  const choose = (element: HTMLElement) => {
    // Selecting text inside a highlight isn't a click on it.
    if (getSelection()?.isCollapsed !== false) open(ids, element);
  };
  const onClick = (event: { currentTarget: HTMLElement }) => choose(event.currentTarget);
  // One tab stop where a highlight begins; its other parts only react to the pointer.
  if (!begins)
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has the stretch where it begins.
      <mark {...look} onClick={onClick}>
        {children}
      </mark>
    );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    open(ids, event.currentTarget);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a real button would not break over lines as text does.
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: as above.
    <mark {...look} role="button" tabIndex={0} onClick={onClick} onKeyDown={onKeyDown}>
      {children}
    </mark>
  );
}

const STRENGTH = ['active', 'removed', 'added', 'comment', 'quiet'] as const;

function strongest(highlights: readonly PlacedHighlight[]): string {
  return STRENGTH.find((tone) => highlights.some((highlight) => highlight.tone === tone))!;
}

/** The first element of a highlight. */
export function findHighlight(within: ParentNode, id: string): HTMLElement | undefined {
  return within.querySelector<HTMLElement>(`mark[data-highlight~="${CSS.escape(id)}"]`) ?? undefined;
}
