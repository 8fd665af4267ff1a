/** Builds and searches an index in the test's own process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { buildIndex, type IndexOutcome } from '../../src/engines/search/build-index.ts';
import { openRepository, type RepositoryReader } from '../../src/engines/search/commits/repository-reader.ts';
import { searchCode } from '../../src/engines/search/scan/search-code.ts';
import { TrigramCollector } from '../../src/engines/search/shards/trigrams.ts';
import type { CodeQuery } from '../../src/platform/core/ports/code-reader.ts';

export const NO_LIMIT = Number.MAX_SAFE_INTEGER;

const collector = new TrigramCollector();

/** A folder that is removed after the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-index-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function build(
  gitDir: string,
  indexFolder: string,
  commits: string[],
  maxIndexBytes = NO_LIMIT,
): Promise<IndexOutcome> {
  return buildIndex(
    { gitDir, indexFolder, commits, maxIndexBytes },
    collector,
    () => undefined,
    new AbortController().signal,
  );
}

export function openForTest(gitDir: string, indexFolder: string): RepositoryReader {
  const reader = openRepository(gitDir, indexFolder);
  onTestFinished(() => reader.close());
  return reader;
}

export interface SearchOptions {
  signal?: AbortSignal;
  timeLimitMs?: number;
  waitedMs?: number;
}

/** Without limits by default. */
export function search(
  reader: RepositoryReader,
  query: Pick<CodeQuery, 'commit' | 'pattern'> & Partial<CodeQuery>,
  { signal = new AbortController().signal, timeLimitMs = 60_000, waitedMs = 0 }: SearchOptions = {},
) {
  const defaults = {
    path: '',
    order: 'path' as const,
    withRanges: false,
    maxLines: NO_LIMIT - 1,
    maxBytes: NO_LIMIT,
  };
  return searchCode(reader, { ...defaults, ...query }, { signal, time: { timeLimitMs, waitedMs } });
}

/** The matching lines as `path:number`. */
export function linesOf(outcome: Awaited<ReturnType<typeof search>>): string[] {
  if (outcome.kind !== 'found') throw new Error(`The search answered ${outcome.kind}.`);
  return outcome.files.flatMap(({ lines, path }) =>
    lines.filter(({ isMatch }) => isMatch).map(({ number }) => `${path}:${number}`),
  );
}
