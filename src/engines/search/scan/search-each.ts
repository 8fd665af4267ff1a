/** Searches several repositories in the query process, one after another. */
import type { EachOutcome, EachQuery } from '../../../platform/core/ports/code-reader.ts';
import { MissingObject, TooManyFiles } from '../commits/commit-files.ts';
import type { RepositoryReader } from '../commits/repository-reader.ts';
import type { RepositoryFolders } from '../messages.ts';
import { BadPattern, LINE_BREAK_IN_PATTERN } from './ripgrep.ts';
import { checkPattern, type SearchRun, searchCode } from './search-code.ts';

/** Other requests are answered in between. */
const PAUSE_EVERY_MS = 10;

export async function searchEach(
  readerOf: (folders: RepositoryFolders) => RepositoryReader,
  { query, repositories }: { repositories: (RepositoryFolders & { commit: string })[]; query: EachQuery },
  { signal, time }: SearchRun,
): Promise<(EachOutcome | null)[]> {
  const problem = await problemOf(query.pattern, signal);
  if (problem !== undefined) return repositories.map(() => ({ kind: 'bad_pattern', message: problem }));
  const startedAt = performance.now();
  const outcomes: (EachOutcome | null)[] = [];
  let pausedAt = startedAt;
  for (const { commit, ...folders } of repositories) {
    signal.throwIfAborted();
    const spentMs = Math.round(performance.now() - startedAt);
    if (spentMs >= time.timeLimitMs) {
      outcomes.push({ kind: 'not_searched' });
      continue;
    }
    const run = { signal, time: { timeLimitMs: time.timeLimitMs, waitedMs: spentMs } };
    outcomes.push(await searchOne(readerOf, folders, { ...query, commit, isValid: true }, run));
    if (performance.now() - pausedAt < PAUSE_EVERY_MS) continue;
    await new Promise(setImmediate);
    pausedAt = performance.now();
  }
  return outcomes;
}

/** Patterns without special characters need no check. */
const PLAIN = /^[\w ]*$/;
let lastValid = '';

/** Ripgrep is asked once, not once per repository. */
async function problemOf(pattern: string, signal: AbortSignal): Promise<string | undefined> {
  if (pattern.includes('\n')) return LINE_BREAK_IN_PATTERN;
  if (PLAIN.test(pattern) || pattern === lastValid) return undefined;
  try {
    await checkPattern(pattern, signal);
    lastValid = pattern;
    return undefined;
  } catch (error) {
    if (error instanceof BadPattern) return error.message;
    throw error;
  }
}

async function searchOne(
  readerOf: (folders: RepositoryFolders) => RepositoryReader,
  folders: RepositoryFolders,
  query: Parameters<typeof searchCode>[1],
  run: SearchRun,
): Promise<EachOutcome | null> {
  try {
    const outcome = await searchCode(readerOf(folders), query, run);
    if (outcome.kind !== 'found') return outcome;
    return outcome.total.lines === 0 && outcome.notSearched.length === 0 && outcome.isIndexed
      ? null
      : outcome;
  } catch (error) {
    if (error instanceof MissingObject) return { kind: 'missing' };
    if (error instanceof TooManyFiles) return { kind: 'not_searched' };
    throw error;
  }
}
