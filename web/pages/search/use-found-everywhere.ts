/** Searches all repositories and collects the results as they arrive. */
import { useEffect, useState } from 'react';
import type { CallInput } from '../../api/client.ts';
import { type EventData, readEvents } from '../../api/read-events.ts';
import type { SearchAllSearch } from '../../page-search.ts';
import { expressionOf } from '../../parts/code-search/search-query.ts';

type SearchEvent = EventData<'search-all-code'>;
export type FoundRepository = NonNullable<SearchEvent['repository']>;
export type SearchSummary = NonNullable<SearchEvent['summary']>;

export interface FoundEverywhere {
  /** In order of arrival, so that nothing moves while it is read. */
  repositories: readonly FoundRepository[];
  /** Null until the search has ended. */
  summary: SearchSummary | null;
  error: Error | null;
}

const NOTHING: FoundEverywhere = { repositories: [], summary: null, error: null };

/** `attempt` repeats the same search. */
export function useFoundEverywhere(search: SearchAllSearch, attempt: number): FoundEverywhere {
  const [found, setFound] = useState(NOTHING);
  const { ignoreCase, language, paths, pattern, regex, repositories } = search;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is the same search once more.
  useEffect(() => {
    setFound(NOTHING);
    if (!pattern) return undefined;
    const leaving = new AbortController();
    const input = {
      pattern: expressionOf({ pattern, ignoreCase, regex }),
      repositories,
      paths,
      language,
    };
    collect(input, leaving.signal, setFound).catch((error: unknown) => {
      if (!leaving.signal.aborted)
        setFound((now) => ({ ...now, error: error instanceof Error ? error : new Error(String(error)) }));
    });
    return () => leaving.abort();
  }, [pattern, ignoreCase, regex, repositories, paths, language, attempt]);
  return found;
}

async function collect(
  input: CallInput<'search-all-code'>,
  signal: AbortSignal,
  update: (change: (now: FoundEverywhere) => FoundEverywhere) => void,
): Promise<void> {
  let hasEnded = false;
  for await (const { repository, summary } of readEvents('search-all-code', input, signal)) {
    if (signal.aborted) return;
    if (repository) update((now) => ({ ...now, repositories: [...now.repositories, repository] }));
    if (summary) {
      hasEnded = true;
      update((now) => ({ ...now, summary }));
    }
  }
  if (!hasEnded) throw new Error('The search was interrupted. Try again.');
}
