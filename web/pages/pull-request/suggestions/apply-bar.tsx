/** The suggestions that were added to the batch, at the bottom of the window, with the button that applies them. */
import { Button } from '../../../components/button.tsx';
import type { SuggestionBatch } from './batch-context.ts';

export function ApplyBar(props: { batch: SuggestionBatch; isRaised: boolean; onClear(): void }) {
  const { batch, isRaised, onClear } = props;
  const { apply, chosen, remove } = batch;
  if (chosen.length === 0) return null;
  const ready = chosen.filter(({ state }) => state.kind === 'ready');
  const waiting = chosen.filter(({ state }) => state.kind === 'waiting').length;
  const gone = chosen.filter(({ state }) => state.kind !== 'ready' && state.kind !== 'waiting');
  return (
    <section
      aria-label="Suggestions to apply"
      className={`appear fixed inset-x-4 ${isRaised ? 'bottom-28 sm:bottom-20' : 'bottom-4'} z-[17] mx-auto flex max-w-2xl flex-wrap items-center justify-between gap-x-4 gap-y-1.5 rounded-xl border border-accent/40 bg-raised py-1.5 pr-1.5 pl-4 text-sm shadow-lg`}
    >
      <span role="status">
        {chosen.length === 1 ? '1 suggestion in the batch' : `${chosen.length} suggestions in the batch`}
        {waiting > 0 && <span className="text-quiet"> · finding the lines of {waiting}…</span>}
        {gone.length > 0 && <span className="text-warn"> · {gone.length} can no longer be applied</span>}
      </span>
      <span className="flex flex-wrap gap-1.5">
        {gone.length > 0 && (
          <Button size="small" look="quiet" onClick={() => gone.forEach(remove)}>
            Remove {gone.length === 1 ? 'it' : 'those'}
          </Button>
        )}
        <Button size="small" look="quiet" onClick={onClear}>
          Clear
        </Button>
        <Button
          size="small"
          look="primary"
          disabled={ready.length === 0 || ready.length < chosen.length}
          onClick={() => apply(ready)}
        >
          {ready.length === 1 ? 'Apply 1 suggestion…' : `Apply ${ready.length} suggestions…`}
        </Button>
      </span>
    </section>
  );
}
