/** Markdown rendering for developers and tests: a separate entry point that isn't part of the app. */
import '../../styles.css';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ToastProvider } from '../../components/toast.tsx';
import {
  type Highlight,
  MarkdownText,
  MarkdownView,
  type SelectedText,
  selectionToSource,
  useOutline,
} from '../../markdown/index.ts';
import sample from './dev-markdown-sample.md?raw';

interface Shown {
  content: string;
  highlights?: Highlight[];
  /** Rendered as a comment. */
  short?: boolean;
}

declare global {
  interface Window {
    /** For tests: shows another text. */
    showMarkdown(shown: Shown): void;
    selectionToSource: typeof selectionToSource;
  }
}

const SAMPLE: Shown = { content: sample, highlights: highlightsIn(sample) };

export function DevMarkdownPage() {
  const [shown, setShown] = useState(SAMPLE);
  const [selected, setSelected] = useState<SelectedText>();
  const [clicked, setClicked] = useState<string[]>([]);
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    window.selectionToSource = selectionToSource;
    window.showMarkdown = (next) => {
      // An unchanged text doesn't call onReady again.
      if (next.content !== shown.content) setIsReady(false);
      setShown(next);
    };
  }, [shown]);
  return (
    <main className="mx-auto grid w-full max-w-5xl grid-cols-1 gap-8 px-4 py-8 sm:px-8 lg:grid-cols-[minmax(0,1fr)_14rem]">
      <div>
        {shown.short ? (
          <MarkdownText content={shown.content} />
        ) : (
          <MarkdownView
            content={shown.content}
            highlights={shown.highlights}
            onSelect={setSelected}
            onHighlightClick={setClicked}
            onReady={() => setIsReady(true)}
          />
        )}
      </div>
      <aside className="grid content-start gap-4 text-sm text-quiet lg:sticky lg:top-8 lg:self-start">
        {!shown.short && <Outline content={shown.content} />}
        <output aria-label="State">{isReady ? 'ready' : 'waiting'}</output>
        <output aria-label="Selected" className="wrap-anywhere">
          {selected && `${selected.start}–${selected.end}: ${selected.quote.slice(0, 200)}`}
        </output>
        <output aria-label="Chosen">{clicked.join(', ')}</output>
      </aside>
    </main>
  );
}

function Outline({ content }: { content: string }) {
  const outline = useOutline(content);
  return (
    <nav aria-label="Outline">
      <ul className="grid gap-1">
        {outline.slice(0, 50).map(({ id, level, text }) => (
          <li key={id} className={level > 2 ? 'pl-3' : undefined}>
            <a href={`#${id}`} className="hover:text-text">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A few ranges of the sample, found by their words. */
function highlightsIn(content: string): Highlight[] {
  const places: [string, Highlight['tone']][] = [
    ['every write goes to **both** stores until', 'comment'],
    ['**both** stores', 'active'],
    ['nothing is lost', 'quiet'],
  ];
  return places.map(([words, tone]) => {
    const start = content.indexOf(words);
    return { id: tone, start, end: start + words.length, tone, label: `A ${tone} highlight` };
  });
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ToastProvider>
      <DevMarkdownPage />
    </ToastProvider>
  </StrictMode>,
);
