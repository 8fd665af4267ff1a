/** A Mermaid diagram: drawn when it is scrolled into view; its source is a click away, and shown when it can't be drawn. */
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { CodeText } from '../code-text.tsx';
import { FullScreen } from '../full-screen.tsx';
import { PaintedText } from '../painted-text.tsx';
import type { BlockOf } from '../tree.ts';
import { useIsDark } from '../use-is-dark.ts';
import { useNearby } from '../use-nearby.ts';
import { type Drawing, drawDiagram, tryAgain } from './draw-diagram.ts';

const WHY = {
  wrong: 'This diagram has an error. Showing its source.',
  slow: 'This diagram takes too long to draw. Showing its source.',
  large: 'This diagram is too large to draw. Showing its source.',
  unavailable: 'Diagrams can’t be drawn right now. Showing the source.',
};

/** Scaled down below this, its text would be unreadable: it scrolls instead. */
const MIN_SCALE = 0.5;

export function Diagram({ block }: { block: BlockOf<'code'> }) {
  const element = useRef<HTMLElement>(null);
  const source = block.pieces.map((piece) => piece.text).join('');
  const { drawing, redraw } = useDrawing(source, useNearby(element));
  const [wantsSource, setWantsSource] = useState(false);
  const failed = drawing?.kind === 'failed' ? drawing : undefined;
  const canRetry = failed?.why === 'slow' || failed?.why === 'unavailable';
  return (
    <figure className="code-block diagram" ref={element}>
      <figcaption>
        <span>
          {/* Marked when something in the source is highlighted, because the drawing can't show that. */}
          <PaintedText pieces={[{ text: 'Diagram', start: block.start, end: block.end }]} />
        </span>
        <span className="flex items-center gap-1">
          {canRetry && (
            <Button size="small" onClick={redraw}>
              Try again
            </Button>
          )}
          {!failed && (
            <Button size="small" aria-pressed={wantsSource} onClick={() => setWantsSource(!wantsSource)}>
              Source
            </Button>
          )}
          {drawing?.kind === 'drawn' && (
            <FullScreen what="Diagram">
              <img
                src={`data:image/svg+xml,${encodeURIComponent(drawing.svg)}`}
                alt="Diagram"
                className="mx-auto block! max-w-none!"
                style={{
                  width: `max(${Math.ceil(drawing.width)}px, min(90vw, ${Math.ceil(drawing.width * 2)}px))`,
                }}
              />
            </FullScreen>
          )}
        </span>
      </figcaption>
      {failed && (
        <p className="why" role="status">
          {WHY[failed.why]}
          {failed.message && <span>{firstLines(failed.message)}</span>}
        </p>
      )}
      {failed || wantsSource ? (
        <CodeText pieces={block.pieces} />
      ) : (
        <Picture drawing={drawing} kind={/^\s*([\w-]+)/.exec(source)?.[1]} />
      )}
    </figure>
  );
}

function useDrawing(source: string, isNearby: boolean): { drawing: Drawing | undefined; redraw(): void } {
  const dark = useIsDark();
  const [drawing, setDrawing] = useState<Drawing>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another drawing of the same.
  useEffect(() => {
    if (!isNearby) return;
    const leaving = new AbortController();
    drawDiagram({ source, dark }, leaving.signal).then((drawn) => {
      if (!leaving.signal.aborted) setDrawing(drawn);
    });
    return () => leaving.abort();
  }, [source, dark, isNearby, attempt]);
  const redraw = () => {
    tryAgain();
    setDrawing(undefined);
    setAttempt(attempt + 1);
  };
  return { drawing, redraw };
}

function Picture({ drawing, kind }: { drawing: Drawing | undefined; kind: string | undefined }) {
  if (drawing?.kind !== 'drawn')
    return (
      <div className="picture" role="status">
        <Spinner />
        <span className="sr-only">Drawing the diagram</span>
      </div>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div className="picture" role="group" aria-label="Diagram" tabIndex={0}>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(drawing.svg)}`}
        alt={kind ? `Diagram (${kind}); its source is behind the button` : 'Diagram'}
        width={Math.ceil(drawing.width)}
        height={Math.ceil(drawing.height)}
        style={{ minWidth: Math.ceil(drawing.width * MIN_SCALE) }}
      />
    </div>
  );
}

/** A parser's message lists every expected token; its first lines say where the error is. */
function firstLines(message: string): string {
  return message.split('\n').slice(0, 3).join('\n').slice(0, 300);
}
