/** Steps through the threads. */
import { ChevronDown, ChevronUp } from 'lucide-react';
import type { PlacedThreads } from './threads.ts';

export function ThreadSteps(props: {
  threads: PlacedThreads;
  activeId: string | undefined;
  onStep(by: number): void;
}) {
  const { activeId, onStep, threads } = props;
  const order = orderOf(threads);
  const at = order.indexOf(activeId ?? '');
  if (order.length < 2) return null;
  return (
    <div className="flex shrink-0 items-center text-xs text-quiet">
      <Step name="Previous thread" onClick={() => onStep(-1)}>
        <ChevronUp className="size-4" aria-hidden="true" />
      </Step>
      <span role="status" className="sr-only">
        {at >= 0 && `Thread ${at + 1} of ${order.length}`}
      </span>
      <Step name="Next thread" onClick={() => onStep(1)}>
        <ChevronDown className="size-4" aria-hidden="true" />
      </Step>
    </div>
  );
}

function Step({ name, ...props }: { name: string; onClick(): void; children: React.ReactNode }) {
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      {...props}
      className="inline-flex size-7 items-center justify-center rounded-md hover:bg-sunken hover:text-text"
    />
  );
}

/** In page order: beside the text, then below it. */
function orderOf({ beside, general, orphaned }: PlacedThreads): string[] {
  return [...beside, ...orphaned, ...general].map(({ id }) => id);
}

/** The previous or next thread; without an active one, the last or first. */
export function neighborOf(
  threads: PlacedThreads,
  activeId: string | undefined,
  by: number,
): string | undefined {
  const order = orderOf(threads);
  const at = order.indexOf(activeId ?? '');
  if (at < 0) return by > 0 ? order[0] : order.at(-1);
  return order[Math.min(Math.max(at + by, 0), order.length - 1)];
}
