/** Reading the comments of a plan page by page, up to a limit. */
import { expect, it } from 'vitest';
import { readThreads } from './read-threads.ts';

it('says whether it read all pages', async () => {
  const NEXT: Record<string, string | null> = { '': 'second', second: 'third', third: null };
  const run = async (_operation: string, { cursor = '' }: { cursor?: string }) => ({
    ...{ comments: Array.from({ length: 200 }, () => ({})), nextCursor: NEXT[cursor] },
  });
  const read = (limit: number) => readThreads(run as never, { seriesId: 's' }, limit);
  expect((await read(400)).isComplete).toBe(false);
  expect((await read(1000)).isComplete).toBe(true);
});
