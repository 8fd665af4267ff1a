/** Builds and searches an index in the test's own process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { buildIndex, type IndexOutcome } from '../../src/engines/search/build-index.ts';
import { openRepository, type RepositoryReader } from '../../src/engines/search/repository-reader.ts';
import { type CodeQuery, searchCode } from '../../src/engines/search/search-code.ts';
import { TrigramCollector } from '../../src/engines/search/trigrams.ts';

export const MAX_FILE_BYTES = 16 * 1024 * 1024;
export const NO_LIMIT = Number.MAX_SAFE_INTEGER;

const collector = new TrigramCollector();

/** A folder that is gone when the test is over. */
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
    { gitDir, indexFolder, commits, maxFileBytes: MAX_FILE_BYTES, maxIndexBytes },
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

/** Without limits unless told. */
export function search(
  reader: RepositoryReader,
  query: Pick<CodeQuery, 'commit' | 'pattern'> & Partial<CodeQuery>,
  signal: AbortSignal = new AbortController().signal,
) {
  const defaults = {
    path: '',
    order: 'path' as const,
    withRanges: false,
    maxLines: NO_LIMIT - 1,
    maxBytes: NO_LIMIT,
    maxFileBytes: MAX_FILE_BYTES,
    timeoutMs: 60_000,
  };
  return searchCode(reader, { ...defaults, ...query }, signal);
}

/** The matching lines as `path:number`. */
export function linesOf(outcome: Awaited<ReturnType<typeof search>>): string[] {
  if (outcome.kind !== 'found') throw new Error(`The search answered ${outcome.kind}.`);
  return outcome.files.flatMap(({ lines, path }) =>
    lines.filter(({ isMatch }) => isMatch).map(({ number }) => `${path}:${number}`),
  );
}
