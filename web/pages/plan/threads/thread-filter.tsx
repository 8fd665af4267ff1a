/** Selects which threads are shown; the numbers are comments including replies, as in the list of plans. */

import { formatCount } from '../format.ts';
import type { ThreadFilter as Filter, Thread } from './threads.ts';
import { countComments, matches } from './threads.ts';

const FILTERS: { filter: Filter; name: string }[] = [
  { filter: 'open', name: 'Open' },
  { filter: 'dismissed', name: 'Dismissed' },
  { filter: 'all', name: 'All' },
];

export function ThreadFilter(props: {
  threads: readonly Thread[];
  filter: Filter;
  onFilter(filter: Filter): void;
}) {
  const { filter: chosen, onFilter, threads } = props;
  return (
    <fieldset className="flex items-center gap-0.5 rounded-lg bg-sunken p-0.5 text-xs">
      <legend className="sr-only">Show comments</legend>
      {FILTERS.map(({ filter, name }) => {
        const matching = threads.filter((thread) => matches(thread, filter));
        const comments = countComments(matching);
        return (
          <button
            key={filter}
            type="button"
            aria-pressed={filter === chosen}
            title={`${formatCount(comments, 'comment')} in ${formatCount(matching.length, 'thread')}`}
            onClick={() => onFilter(filter)}
            className="flex h-7 flex-1 items-center justify-center gap-1 rounded-md px-2 text-quiet hover:text-text aria-pressed:bg-raised aria-pressed:font-medium aria-pressed:text-text aria-pressed:shadow-sm"
          >
            {name}
            <span className="tabular-nums">{comments}</span>
          </button>
        );
      })}
    </fieldset>
  );
}
