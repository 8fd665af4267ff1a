/** The changes from one version to another. */
import { useQuery } from '@tanstack/react-query';
import { ArrowRight, ChevronDown, ChevronUp } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { EmptyState, ErrorState } from '../../../components/page.tsx';
import { usePageShortcuts } from '../../../frame/use-shortcuts.ts';
import { formatCount } from '../format.ts';
import { VersionPicker } from '../header/version-picker.tsx';
import { differenceQuery, type Plan } from '../plan-data.ts';
import { scrollTo } from '../reader/show-thread.ts';
import { TextSkeleton } from '../text-skeleton.tsx';
import { type Difference, partsOf } from './difference-model.ts';
import { PartView } from './difference-parts.tsx';

export interface DifferenceViewProps {
  plan: Plan;
  from: number;
  to: number;
  asSource: boolean;
  onChoose(chosen: { from?: number; to?: number; asSource?: boolean }): void;
}

export function DifferenceView({ plan, from, to, asSource, onChoose }: DifferenceViewProps) {
  const { data, error, refetch } = useQuery({
    ...differenceQuery(plan.seriesId, from, to),
    enabled: from !== to,
  });
  const parts = useMemo(() => (data ? partsOf(data) : []), [data]);
  const list = useRef<HTMLDivElement>(null);
  const { at, count, go } = useChanges(list, data?.stats.changes ?? 0);
  return (
    <div className="mx-auto w-full max-w-4xl">
      <div className="mb-5 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        <div className="flex items-center gap-2">
          <VersionPicker
            label="From"
            plan={plan}
            version={from}
            onChoose={(version) => onChoose({ from: version })}
          />
          <ArrowRight className="size-4 text-quiet" aria-label="to" />
          <VersionPicker
            label="To"
            plan={plan}
            version={to}
            onChoose={(version) => onChoose({ to: version })}
          />
        </div>
        {data && <Stats stats={data.stats} />}
        <div className="ml-auto flex items-center gap-2">
          {count > 0 && (
            <div className="flex items-center gap-0.5 text-xs text-quiet">
              <Button
                size="small"
                look="quiet"
                className="px-1.5!"
                aria-label="Previous change"
                onClick={() => go(-1)}
              >
                <ChevronUp className="size-4" aria-hidden="true" />
              </Button>
              <span className="min-w-12 text-center tabular-nums" aria-live="polite">
                {at === undefined ? formatCount(count, 'change') : `${at + 1} of ${count}`}
              </span>
              <Button
                size="small"
                look="quiet"
                className="px-1.5!"
                aria-label="Next change"
                onClick={() => go(1)}
              >
                <ChevronDown className="size-4" aria-hidden="true" />
              </Button>
            </div>
          )}
          <Looks asSource={asSource} onChoose={(source) => onChoose({ asSource: source })} />
        </div>
      </div>
      {from === to && (
        <EmptyState title="Choose two different versions">There is nothing to compare.</EmptyState>
      )}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && from !== to && <TextSkeleton />}
      {data?.truncated && (
        <div className="mb-4">
          <Notice>The changes are too large to mark every word.</Notice>
        </div>
      )}
      {data && count === 0 && (
        <EmptyState title="No changes">
          Versions {from} and {to} have the same content.
        </EmptyState>
      )}
      {count > 0 && (
        <div
          ref={list}
          className={
            asSource ? 'overflow-hidden rounded-xl border border-line py-1' : 'grid grid-cols-1 gap-4'
          }
        >
          {parts.map((part) => (
            <PartView key={`${part.key}-${asSource}`} part={part} asSource={asSource} />
          ))}
        </div>
      )}
    </div>
  );
}

/** Steps through the changes. */
function useChanges(list: React.RefObject<HTMLElement | null>, count: number) {
  const [chosen, setChosen] = useState<number>();
  const at = chosen !== undefined && chosen < count ? chosen : undefined;
  const go = (by: number) => {
    const next = at === undefined ? (by > 0 ? 0 : count - 1) : (at + by + count) % count;
    const element = list.current?.querySelectorAll<HTMLElement>('[data-change]')[next];
    setChosen(next);
    element?.focus({ preventScroll: true });
    scrollTo(element);
    return count > 0;
  };
  usePageShortcuts([
    { keys: ['n'], meaning: 'Next change', act: () => go(1) },
    { keys: ['p'], meaning: 'Previous change', act: () => go(-1) },
  ]);
  return { at, count, go };
}

function Stats({ stats }: { stats: Difference['stats'] }) {
  const { added, changed, moved, removed, wordsAdded, wordsRemoved } = stats;
  return (
    <p className="flex flex-wrap gap-x-2.5 text-[0.8125rem] text-quiet tabular-nums">
      <span>
        <span className="text-good">+{wordsAdded}</span> <span className="text-danger">−{wordsRemoved}</span>{' '}
        words
      </span>
      <span>
        {[
          changed > 0 && `${changed} changed`,
          added > 0 && `${added} added`,
          removed > 0 && `${removed} removed`,
          moved > 0 && `${moved} moved`,
        ]
          .filter(Boolean)
          .join(', ')}
      </span>
    </p>
  );
}

function Looks({ asSource, onChoose }: { asSource: boolean; onChoose(asSource: boolean): void }) {
  return (
    <fieldset className="flex items-center gap-0.5 rounded-lg bg-sunken p-0.5 text-xs">
      <legend className="sr-only">View as</legend>
      {[false, true].map((each) => (
        <button
          key={String(each)}
          type="button"
          aria-pressed={each === asSource}
          onClick={() => onChoose(each)}
          className="h-7 rounded-md px-2.5 text-quiet hover:text-text aria-pressed:bg-raised aria-pressed:font-medium aria-pressed:text-text aria-pressed:shadow-sm"
        >
          {each ? 'Source' : 'Formatted'}
        </button>
      ))}
    </fieldset>
  );
}
