/** Searches all repositories and collects the results as they arrive. */
import { useEffect, useState } from 'react';
import type { CallInput } from '../../api/client.ts';
import { type EventData, readEvents } from '../../api/read-events.ts';
import type { CodeSearch } from '../../page-search.ts';
import { LINES_PER_FILE } from '../../parts/code-search/search-query.ts';

type SearchEvent = EventData<'search-all-code'>;
export type FoundRepository = NonNullable<SearchEvent['repository']>;
export type CountedRepository = NonNullable<SearchEvent['counted']>;
export type SearchSummary = NonNullable<SearchEvent['summary']>;

export interface FoundEverywhere {
  /** In order of arrival, so that nothing moves while it is read. */
  repositories: readonly FoundRepository[];
  /** The matches in repositories of which not all, or none were sent. */
  counted: ReadonlyMap<string, CountedRepository>;
  /** Null until the search has ended. */
  summary: SearchSummary | null;
  error: Error | null;
}

const NOTHING: FoundEverywhere = { repositories: [], counted: new Map(), summary: null, error: null };

/** `attempt` repeats the same search. */
export function useFoundEverywhere(search: CodeSearch, attempt: number): FoundEverywhere {
  const [found, setFound] = useState(NOTHING);
  const { ignoreCase, mode, query, regex } = search;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is the same search once more.
  useEffect(() => {
    setFound(NOTHING);
    if (!query || mode) return undefined;
    const leaving = new AbortController();
    const input = { query, ignoreCase, regex, linesPerFile: LINES_PER_FILE, countAll: true };
    collect(input, leaving.signal, setFound).catch((error: unknown) => {
      if (!leaving.signal.aborted)
        setFound((now) => ({ ...now, error: error instanceof Error ? error : new Error(String(error)) }));
    });
    return () => leaving.abort();
  }, [query, ignoreCase, regex, mode, attempt]);
  return found;
}

async function collect(
  input: CallInput<'search-all-code'>,
  signal: AbortSignal,
  update: (change: (now: FoundEverywhere) => FoundEverywhere) => void,
): Promise<void> {
  let hasEnded = false;
  for await (const { counted, repository, summary } of readEvents('search-all-code', input, signal)) {
    if (signal.aborted) return;
    if (repository) update((now) => ({ ...now, repositories: [...now.repositories, repository] }));
    if (counted) update((now) => ({ ...now, counted: new Map(now.counted).set(counted.repoId, counted) }));
    if (summary) {
      hasEnded = true;
      update((now) => ({ ...now, summary }));
    }
  }
  if (!hasEnded) throw new Error('The search was interrupted. Try again.');
}
