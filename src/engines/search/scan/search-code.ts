/** Finds the lines of a commit's files that match a pattern: plan, choose, scan, show. */
import type { CodeQuery, CodeSearchOutcome, FoundTotal } from '../../../platform/core/ports/code-reader.ts';
import { readPath } from '../../../platform/core/text/path-text.ts';
import type { RequestTime } from '../../processes/index.ts';
import { findRange } from '../commits/commit-files.ts';
import type { IndexedFiles } from '../commits/indexed-files.ts';
import { pathFilter } from '../commits/path-filter.ts';
import { hasPath } from '../commits/read-tree-path.ts';
import type { RepositoryReader } from '../commits/repository-reader.ts';
import { type PatternPlan, planPattern } from '../pattern/index.ts';
import { findLiteral, type LiteralText, NotAscii } from '../pattern/literal-text.ts';
import { MAX_FILE_BYTES } from '../shards/blob-text.ts';
import { countRest } from './count-rest.ts';
import { BadPattern, findRanges, LINE_BREAK_IN_PATTERN, startRipgrep } from './ripgrep.ts';
import { scan } from './scan.ts';
import { emptyResult, type ScanRequest, type ScanResult } from './scan-request.ts';
import { definingFiles, positions, showFiles, sortTargets } from './show-files.ts';
import { placeRanges, type ShownLine } from './show-lines.ts';
import { findTargets, type Target } from './targets.ts';

/** When a search must stop. */
export interface SearchRun {
  signal: AbortSignal;
  time: RequestTime;
}

/** ripgrep's output per match is large, and a pattern may match at every byte. */
const MAX_RANGE_BYTES = 128 * 1024;
const MAX_RANGE_LINE_BYTES = 4 * 1024;
const RANGES_WITHIN_MS = 2000;
/** Lines that are compared to find the best, max. */
const MAX_RANKED_LINES = 2000;

export async function searchCode(
  reader: RepositoryReader,
  query: CodeQuery,
  { signal: gone, time }: SearchRun,
): Promise<CodeSearchOutcome> {
  if (query.pattern.includes('\n')) return { kind: 'bad_pattern', message: LINE_BREAK_IN_PATTERN };
  const remainingMs = time.timeLimitMs - time.waitedMs;
  // A timer of nothing would start the search and end it sometime.
  const timeout =
    remainingMs > 0
      ? AbortSignal.timeout(remainingMs)
      : AbortSignal.abort(new DOMException('The time was used up by waiting.', 'TimeoutError'));
  return reader.withIndexedFiles(query.commit, (indexed) =>
    searchIndexed(reader, indexed, query, { gone, timeout, timeLimitMs: time.timeLimitMs }),
  );
}

async function searchIndexed(
  reader: RepositoryReader,
  indexed: IndexedFiles,
  query: CodeQuery,
  { gone, timeLimitMs, timeout }: { gone: AbortSignal; timeout: AbortSignal; timeLimitMs: number },
): Promise<CodeSearchOutcome> {
  const signal = AbortSignal.any([gone, timeout]);
  const range =
    findRange(indexed.files, readPath(query.path)) ??
    // A folder may contain only submodules.
    ((await hasPath(reader, query)) ? { from: 0, to: 0 } : undefined);
  if (!range) return { kind: 'no_path' };
  const plan = planOf(query.pattern);
  const { targets, tooLarge } = findTargets(indexed, plan, range, pathFilter(indexed.files, query));
  const defining = definingFiles(indexed.files, query);
  const positionOf = positions(indexed.files, query.order, defining);
  if (query.order !== 'path') sortTargets(targets, positionOf);
  const partial: ScanResult = emptyResult(targets.length);
  let timedOut = false;
  try {
    // ripgrep validates the pattern even when there is nothing to search.
    if (targets.length === 0 && plan.literal === null && !query.isValid)
      await checkPattern(query.pattern, signal);
    const request: ScanRequest = {
      reader,
      set: indexed.set,
      pattern: query.pattern,
      literal: plan.literal,
      targets,
      enoughLines:
        Math.max(query.maxLines + (query.skipLines ?? 0), query.order === 'best' ? MAX_RANKED_LINES : 0) + 1,
      ...(query.skipFiles !== undefined && { skipFiles: query.skipFiles }),
      ...(query.linesPerFile !== undefined && { linesPerFile: query.linesPerFile }),
      signal,
    };
    await scan(request, partial);
    if (query.countAll) await countRest(request, partial);
  } catch (error) {
    if (error instanceof BadPattern) return { kind: 'bad_pattern', message: error.message };
    if (!timeout.aborted || gone.aborted) throw error;
    timedOut = true;
  }
  const shown = await showFiles(reader, indexed, { targets, result: partial, positionOf, defining }, query);
  if (query.withRanges) await addRanges(query.pattern, plan.literal, shown.lines, gone);
  const total = countAll(targets, partial);
  const before = shown.skippedLines + shown.matchingLines;
  return {
    kind: 'found',
    files: shown.files.map(({ lines, matchingLines, path, rank }) => ({
      path,
      matchingLines,
      ...(query.order === 'best' && { rank }),
      lines: lines.map(({ isMatch, number, ranges, text }) => ({ number, text, isMatch, ranges })),
    })),
    matchingLines: shown.matchingLines,
    moreLines:
      total.lines > before ? { count: total.lines - before, isLowerBound: total.isLowerBound } : null,
    total,
    notSearched: describeNotSearched(targets, partial, {
      timedOutAfterMs: timedOut ? timeLimitMs : null,
      tooLarge,
    }),
    isIndexed: indexed.unindexed.length === 0,
  };
}

/** A search of many repositories uses the same pattern for each. */
let lastPlan: { pattern: string; plan: PatternPlan } | undefined;

function planOf(pattern: string): PatternPlan {
  if (lastPlan?.pattern !== pattern) lastPlan = { pattern, plan: planPattern(pattern) };
  return lastPlan.plan;
}

/** Throws `BadPattern`. */
export async function checkPattern(pattern: string, signal: AbortSignal): Promise<void> {
  const ripgrep = startRipgrep(pattern, 'written', signal, () => undefined);
  ripgrep.end();
  await ripgrep.done;
}

/** Skips very long lines, which would have to be searched completely. */
async function addRanges(
  pattern: string,
  literal: LiteralText | null,
  lines: ShownLine[],
  gone: AbortSignal,
): Promise<void> {
  let bytes = 0;
  const asked = lines.filter((line) => {
    if (!line.isMatch || line.bytes.length > MAX_RANGE_LINE_BYTES) return false;
    if (bytes + line.bytes.length > MAX_RANGE_BYTES) return false;
    bytes += line.bytes.length;
    return true;
  });
  if (asked.length === 0 || (literal && addLiteralRanges(literal, asked))) return;
  const timeout = AbortSignal.timeout(RANGES_WITHIN_MS);
  try {
    const ranges = await findRanges(
      pattern,
      asked.map((line) => line.bytes),
      AbortSignal.any([gone, timeout]),
    );
    asked.forEach((line, index) => {
      line.ranges = placeRanges(line, ranges[index]!);
    });
  } catch (error) {
    // The lines are already found; ranges only add highlighting.
    if (!timeout.aborted || gone.aborted) throw error;
  }
}

/** The same within this process; false when only ripgrep can tell. */
function addLiteralRanges(literal: LiteralText, lines: ShownLine[]): boolean {
  const { length } = literal.bytes;
  try {
    for (const line of lines) {
      const ranges: { start: number; end: number }[] = [];
      for (let at = findLiteral(line.bytes, literal, 0); at !== -1; ) {
        ranges.push({ start: at, end: at + length });
        at = findLiteral(line.bytes, literal, at + length);
      }
      line.ranges = placeRanges(line, ranges);
    }
    return true;
  } catch (error) {
    if (error instanceof NotAscii) return false;
    throw error;
  }
}

function countAll(targets: Target[], result: ScanResult): FoundTotal {
  let [lines, files] = [0, 0];
  let isLowerBound = result.cutOff.size > 0;
  targets.forEach((target, index) => {
    const count = result.counts.get(index) ?? result.places[index]?.length;
    if (count === undefined) isLowerBound = true;
    else if (count > 0) {
      lines += count * target.files.length;
      files += target.files.length;
    }
  });
  return { lines, files, isLowerBound };
}

function describeNotSearched(
  targets: Target[],
  result: ScanResult,
  outcome: { timedOutAfterMs: number | null; tooLarge: number },
): string[] {
  const filesOf = (some: Iterable<number>) =>
    [...some].reduce((sum, index) => sum + targets[index]!.files.length, 0);
  const clauses: string[] = [];
  if (outcome.timedOutAfterMs !== null) {
    const isOpen = (index: number) => result.places[index] === undefined && !result.counts.has(index);
    const rest = filesOf(targets.keys().filter(isOpen));
    clauses.push(
      `the search timed out after ${outcome.timedOutAfterMs / 1000} seconds: ${files(rest)} not searched`,
    );
  }
  const tooLarge = outcome.tooLarge + filesOf(result.tooLarge);
  if (tooLarge > 0) {
    clauses.push(`${files(tooLarge)} not searched: larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`);
  }
  const missing = filesOf(result.missing);
  if (missing > 0) clauses.push(`${files(missing)} not searched: content missing from the repository`);
  return clauses;
}

function files(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'file was' : 'files were'}`;
}
