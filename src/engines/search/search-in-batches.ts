/** Splits a search of many repositories into batches, so that it takes turns with others and its first results arrive early. */
import type { EachOutcome } from '../../platform/core/ports/code-reader.ts';
import { type Call, NoTurn } from '../../platform/core/work/fair-queue.ts';

const BATCH_REPOSITORIES = 16;
/** One is searched while the results of the other are on their way. */
const BATCHES_AT_ONCE = 2;

const NOTHING_FOUND: EachOutcome = {
  kind: 'found',
  files: [],
  matchingLines: 0,
  moreLines: null,
  total: { lines: 0, files: 0, isLowerBound: false },
  notSearched: [],
  isIndexed: true,
};

type SearchBatch<Repository> = (
  batch: Repository[],
  remainingMs: number,
  signal: AbortSignal,
) => Promise<(EachOutcome | null)[]>;

/** A repository that doesn't get its turn within the time limit is `not_searched`. Stops when the iteration does. */
export async function* searchInBatches<Repository extends { repositoryId: string }>(
  repositories: readonly Repository[],
  call: Call,
  timeLimitMs: number,
  search: SearchBatch<Repository>,
): AsyncGenerator<{ repositoryId: string; outcome: EachOutcome }> {
  const stopping = new AbortController();
  const signal = AbortSignal.any([call.signal, stopping.signal]);
  const endsAt = performance.now() + timeLimitMs;
  const batches = batchesOf(repositories);
  const running = new Map<
    number,
    Promise<{ key: number; batch: Repository[]; outcomes: (EachOutcome | null)[] }>
  >();
  let started = 0;
  const startNext = () => {
    const { done, value: batch } = batches.next();
    if (done) return;
    const key = started++;
    const outcomes = searchWithin(batch, endsAt, signal, search);
    running.set(
      key,
      outcomes.then((found) => ({ key, batch, outcomes: found })),
    );
  };
  try {
    for (let count = 0; count < BATCHES_AT_ONCE; count += 1) startNext();
    while (running.size > 0) {
      const { batch, key, outcomes } = await Promise.race(running.values());
      running.delete(key);
      startNext();
      for (const [index, { repositoryId }] of batch.entries())
        yield { repositoryId, outcome: outcomes[index] ?? NOTHING_FOUND };
    }
  } finally {
    stopping.abort(new Error('The results are no longer needed.'));
    await Promise.allSettled(running.values());
  }
}

function* batchesOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let from = 0; from < items.length; from += BATCH_REPOSITORIES)
    yield items.slice(from, from + BATCH_REPOSITORIES);
}

async function searchWithin<Repository>(
  batch: Repository[],
  endsAt: number,
  signal: AbortSignal,
  search: SearchBatch<Repository>,
): Promise<(EachOutcome | null)[]> {
  const remainingMs = Math.floor(endsAt - performance.now());
  const notSearched = () => batch.map((): EachOutcome => ({ kind: 'not_searched' }));
  if (remainingMs <= 0) return notSearched();
  try {
    return await search(batch, remainingMs, signal);
  } catch (error) {
    if (error instanceof NoTurn && error.reason === 'time') return notSearched();
    throw error;
  }
}
