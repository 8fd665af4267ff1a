/** The matching files in the order of a search, up to its limits: definitions of what is searched for first, unless by path. */
import type { CodeQuery } from '../../../platform/core/ports/code-reader.ts';
import { readPath, showPath } from '../../../platform/core/text/path-text.ts';
import { type CommitFiles, findRange, pathOf } from '../commits/commit-files.ts';
import type { IndexedFiles } from '../commits/indexed-files.ts';
import { PATH_RANKS, rankPath } from '../commits/path-rank.ts';
import { readFromRepository } from '../commits/read-from-repository.ts';
import type { RepositoryReader } from '../commits/repository-reader.ts';
import { MAX_FILE_BYTES } from '../shards/blob-text.ts';
import { readPiece } from '../shards/read-piece.ts';
import type { ShardSet } from '../shards/shard-set.ts';
import type { LineMatch, ScanResult } from './scan-request.ts';
import { endOfShown, numbersOf, type ShownLine, showLines } from './show-lines.ts';
import type { Target } from './targets.ts';

/** This much of a text usually contains a matching line and its context. */
const SHOWN_BYTES = 8 * 1024;

export interface ShownFiles {
  files: { path: string; lines: ShownLine[]; rank: number; matchingLines: number }[];
  lines: ShownLine[];
  matchingLines: number;
  /** The matching lines of files and of the first one that were skipped. */
  skippedLines: number;
}

export type PositionOf = (file: number) => number;

/** The lines that define what is searched for, by the numbers of their files, apart from copies in generated files. */
export type DefiningFiles = ReadonlyMap<number, ReadonlySet<number>>;

export function definingFiles(files: CommitFiles, { definitions = [], order }: CodeQuery): DefiningFiles {
  const found = new Map<number, Set<number>>();
  if (order === 'path') return found;
  for (const { line, path } of definitions) {
    const range = findRange(files, readPath(path));
    if (!range || range.to !== range.from + 1 || rankOf(files, range.from) === PATH_RANKS.generated) continue;
    const lines = found.get(range.from);
    if (lines) lines.add(line);
    else found.set(range.from, new Set([line]));
  }
  return found;
}

/** The position of a file in the results. Files are numbered in path order. */
export function positions(
  files: CommitFiles,
  order: CodeQuery['order'],
  defining: DefiningFiles,
): PositionOf {
  if (order === 'path') return (file) => file;
  return (file) => pathRank(files, file, defining) * files.count + file;
}

const rankOf = (files: CommitFiles, file: number): number =>
  PATH_RANKS[rankPath(pathOf(files, file).toString('latin1'))];

/** Definitions come before everything else. */
function pathRank(files: CommitFiles, file: number, defining: DefiningFiles): number {
  const rank = rankOf(files, file);
  return defining.has(file) ? rank - PATH_RANKS.generated : rank;
}

/** The rank of a file with definitions, from the one that it has without; that of a generated file stays. */
export function rankOfDefinition(rank: number): number {
  const generated = PATH_RANKS.generated * 2;
  return rank < generated ? rank - generated : rank;
}

/** Lower is better: by the path, then whether the match is a whole word. */
function rankFile(files: CommitFiles, file: number, defining: DefiningFiles, places: LineMatch[]): number {
  return pathRank(files, file, defining) * 2 + (places.some(({ isWord }) => isWord) ? 0 : 1);
}

/** Orders texts by the position of their first file, so that a search that stops early has the first results. */
export function sortTargets(targets: Target[], positionOf: PositionOf): void {
  const firstPosition = ({ files }: Target) =>
    files.reduce((least, file) => Math.min(least, positionOf(file)), Number.POSITIVE_INFINITY);
  const first = new Map(targets.map((target) => [target, firstPosition(target)]));
  targets.sort((one, other) => first.get(one)! - first.get(other)!);
}

/** Files in the requested order, up to the limits. */
export async function showFiles(
  reader: RepositoryReader,
  indexed: IndexedFiles,
  {
    defining,
    positionOf,
    result,
    targets,
  }: { targets: Target[]; result: ScanResult; positionOf: PositionOf; defining: DefiningFiles },
  query: CodeQuery,
): Promise<ShownFiles> {
  const found = targets
    .flatMap((target, index) =>
      result.places[index]?.length
        ? target.files.map((file) => ({
            file,
            position: positionOf(file),
            rank: query.order === 'best' ? rankFile(indexed.files, file, defining, result.places[index]!) : 0,
            target,
            places: result.places[index]!,
            count: result.counts.get(index) ?? result.places[index]!.length,
          }))
        : [],
    )
    .sort((one, other) => one.rank - other.rank || one.position - other.position);
  const { linesPerFile = Number.POSITIVE_INFINITY, skipFiles = 0, skipLines = 0 } = query;
  const shown: ShownFiles = { files: [], lines: [], matchingLines: 0, skippedLines: 0 };
  for (const { count } of found.splice(0, skipFiles)) shown.skippedLines += count;
  if (found[0] && skipLines > 0) {
    shown.skippedLines += Math.min(skipLines, found[0].places.length);
    found[0].places = found[0].places.slice(skipLines);
    if (found[0].places.length === 0) found.shift();
  }
  let bytes = 0;
  // A file that defines the name many lines before the next one leaves that one a line.
  let definingLeft = found.filter(({ file }) => defining.has(file)).length;
  for (const { count, file, places, rank, target } of found) {
    if (shown.matchingLines >= query.maxLines || bytes >= query.maxBytes) break;
    const path = showPath(pathOf(indexed.files, file));
    bytes += path.length + 2;
    const matches = { target, places, definitions: defining.get(file) };
    if (matches.definitions) definingLeft -= 1;
    const room = {
      maxLines: Math.min(linesPerFile, Math.max(1, query.maxLines - shown.matchingLines - definingLeft)),
      maxBytes: query.maxBytes - bytes,
    };
    const { bytes: taken, lines } = await linesOfFile(reader, indexed.set, matches, { ...query, ...room });
    bytes += taken;
    shown.matchingLines += lines.filter(({ isMatch }) => isMatch).length;
    for (const line of lines) shown.lines.push(line);
    if (lines.some((line) => line.isMatch)) shown.files.push({ path, lines, rank, matchingLines: count });
  }
  return shown;
}

interface FileMatches {
  target: Target;
  places: LineMatch[];
  /** The numbers of the lines that define what is searched for. */
  definitions: ReadonlySet<number> | undefined;
}

/** The first lines that fit; if the first definition isn't among them, as many before it as there is room for. */
async function linesOfFile(
  reader: RepositoryReader,
  set: ShardSet,
  { definitions, places, target }: FileMatches,
  { maxBytes, maxLines, withRanges }: Pick<CodeQuery, 'maxBytes' | 'maxLines' | 'withRanges'>,
): Promise<FittingLines> {
  const textUntil = async (last: LineMatch) =>
    target.blob === -1
      ? await readFromRepository(reader, target, MAX_FILE_BYTES)
      : readBlob(set, target.blob, last);
  const linesOf = async (wanted: LineMatch[]) =>
    withinBytes(showLines(await textUntil(wanted.at(-1)!), wanted, withRanges), maxBytes);
  const isDefined = ({ lines }: FittingLines) =>
    lines.some(({ isMatch, number }) => isMatch && definitions?.has(number));
  const first = await linesOf(places.slice(0, maxLines));
  if (!definitions || isDefined(first)) return first;
  const numbers = numbersOf(await textUntil(places.at(-1)!), places);
  const from = numbers.findIndex((number) => definitions.has(number));
  if (from === -1) return first;
  const defining = places.slice(from, from + maxLines);
  const both = await linesOf([...places.slice(0, Math.min(from, maxLines - defining.length)), ...defining]);
  return isDefined(both) ? both : linesOf(defining);
}

interface FittingLines {
  lines: ShownLine[];
  /** More than there is room for, if lines are left out. */
  bytes: number;
}

function withinBytes(lines: ShownLine[], maxBytes: number): FittingLines {
  let bytes = 0;
  for (const [index, { from, number, to }] of lines.entries()) {
    bytes += to - from + String(number).length + 8;
    if (bytes > maxBytes) return { lines: lines.slice(0, index), bytes };
  }
  return { lines, bytes };
}

/** The text to show for matches up to the last. Valid until the next text is read, so callers copy what they show. */
function readBlob(set: ShardSet, blob: number, last: LineMatch): Buffer {
  const { local, shard } = set.shardOf(blob);
  const bytes = shard.lengths[local]!;
  const mostly = last.lineStart + SHOWN_BYTES;
  if (mostly < bytes) {
    const text = readPiece(shard, local, { from: 0, to: mostly });
    const end = endOfShown(text, last);
    if (end !== undefined) return text.subarray(0, end);
  }
  return readPiece(shard, local, { from: 0, to: bytes });
}
