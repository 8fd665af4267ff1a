/** The contents of the plan: its sections, the one being read, and how many of the steps are done. */
import { MessageSquarePlus } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { OutlineEntry } from '../../../markdown/index.ts';
import type { PlanText } from '../plan-data.ts';

/** A heading counts as reached when it is this far below the top of the window. */
const REACHED_PIXELS = 130;

interface PlanOutlineProps {
  outline: readonly OutlineEntry[];
  structure: PlanText['structure'];
  current: string | undefined;
  /** Undefined for those who can't comment. */
  onComment?(entry: OutlineEntry): void;
  onChoose?(): void;
}

export function PlanOutline({ outline, structure, current, onComment, onChoose }: PlanOutlineProps) {
  const top = Math.min(...outline.map(({ level }) => level));
  const progress = useMemo(() => progressBySection(outline, structure.steps), [outline, structure.steps]);
  return (
    <nav aria-label="Contents" className="grid grid-cols-1 gap-3 text-[0.8125rem]">
      <Progress steps={structure.steps} />
      <ul className="grid grid-cols-1 border-l border-line">
        {outline.map((entry) => {
          const steps = progress.get(entry.id);
          return (
            <li key={entry.id} className="group/entry relative flex items-start">
              <a
                href={`#${entry.id}`}
                aria-current={entry.id === current ? 'location' : undefined}
                onClick={onChoose}
                data-start={entry.start}
                className="-ml-px flex min-w-0 flex-1 items-baseline gap-2 rounded-r border-l border-transparent py-1 pr-1 leading-snug text-quiet hover:text-text aria-[current=location]:border-accent aria-[current=location]:font-medium aria-[current=location]:text-text"
                style={{ paddingLeft: `${0.75 + Math.min(entry.level - top, 3) * 0.75}rem` }}
              >
                <span className="min-w-0 flex-1 wrap-anywhere">{entry.text || 'Untitled'}</span>
                {steps && (
                  <span className="shrink-0 text-xs tabular-nums">
                    <span className="sr-only">Steps done: </span>
                    {steps.done}/{steps.all}
                  </span>
                )}
              </a>
              {onComment && (
                <button
                  type="button"
                  title="Comment on this section"
                  aria-label={`Comment on ${entry.text}`}
                  onClick={() => onComment(entry)}
                  className="shrink-0 rounded p-1 text-quiet opacity-0 group-hover/entry:opacity-100 hover:text-accent focus-visible:opacity-100"
                >
                  <MessageSquarePlus className="size-3.5" aria-hidden="true" />
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Progress({ steps }: { steps: PlanText['structure']['steps'] }) {
  const boxes = steps.filter(({ done }) => done !== null);
  if (boxes.length === 0) return null;
  const done = boxes.filter((step) => step.done).length;
  return (
    <div>
      <p className="mb-1 text-xs text-quiet">
        {done} of {boxes.length} steps done
      </p>
      <div aria-hidden="true" className="h-1 overflow-hidden rounded-full bg-line">
        <div className="h-full rounded-full bg-good" style={{ width: `${(100 * done) / boxes.length}%` }} />
      </div>
    </div>
  );
}

/** Checkboxes count toward the heading directly above them. */
function progressBySection(outline: readonly OutlineEntry[], steps: PlanText['structure']['steps']) {
  const progress = new Map<string, { done: number; all: number }>();
  for (const { done, start } of steps) {
    const entry = done === null ? undefined : outline.findLast((heading) => heading.start <= start);
    if (!entry) continue;
    const counted = progress.get(entry.id) ?? { done: 0, all: 0 };
    progress.set(entry.id, { done: counted.done + (done ? 1 : 0), all: counted.all + 1 });
  }
  return progress;
}

/** The id of the heading that is being read. */
export function useCurrentHeading(
  text: RefObject<HTMLElement | null>,
  outline: readonly OutlineEntry[],
): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    let frame = 0;
    const look = () => {
      // At the end of the page, the last headings are read without ever getting near the top.
      const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
      const line = isAtEnd ? innerHeight : REACHED_PIXELS;
      const isReached = ({ id }: OutlineEntry) => {
        const heading = text.current?.querySelector(`#${CSS.escape(id)}`);
        return heading ? heading.getBoundingClientRect().top < line : false;
      };
      setCurrent((lastReached(outline, isReached) ?? outline[0])?.id);
    };
    const scroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    scroll();
    addEventListener('scroll', scroll, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', scroll);
    };
  }, [outline, text]);
  return current;
}

/** Headings are in order: a binary search is enough. */
function lastReached<T>(entries: readonly T[], isReached: (entry: T) => boolean): T | undefined {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(entries[middle]!)) low = middle + 1;
    else high = middle;
  }
  return entries[low - 1];
}
