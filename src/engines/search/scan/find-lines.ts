/** Finds the lines of a commit that contain one of many texts, with the index: what `git grep -F` finds without it. */
import { showPath } from '../../../platform/core/text/path-text.ts';
import { pathOf } from '../commits/commit-files.ts';
import type { IndexedFiles } from '../commits/indexed-files.ts';
import { readFromRepository } from '../commits/read-from-repository.ts';
import type { RepositoryReader } from '../commits/repository-reader.ts';
import { planPattern } from '../pattern/index.ts';
import { MAX_FILE_BYTES } from '../shards/blob-text.ts';
import { readPiece } from '../shards/read-piece.ts';
import { scan } from './scan.ts';
import { emptyResult, type LineMatch } from './scan-request.ts';
import { findTargets, type Target } from './targets.ts';

/** With more, git is faster: it reads them on all cores. */
const MAX_UNINDEXED_FILES = 500;
/** A text that so many files may contain is too common to say anything, and hides the others behind the limit of lines. */
const MAX_COMMON_FILES = 500;
/** ripgrep gets the pattern as one argument, which has a limit. */
const MAX_PATTERN_CHARACTERS = 100_000;
const LINE_FEED = 10;

export interface TextQuery {
  commit: string;
  texts: readonly string[];
  /** Not as a part of a longer word of ASCII letters, digits and underscores. */
  wholeWords: boolean;
  /** Files that are looked at, by their path; all if it is not given. */
  accepts?: ((path: string) => boolean) | undefined;
  /** Whether texts that are in too many files are left out. */
  leavesOutCommon?: boolean | undefined;
  maxLines: number;
  /** Per line. */
  maxBytes: number;
}

export interface TextLine {
  path: string;
  /** From 1. */
  line: number;
  text: string;
}

export interface FoundTexts {
  /** In path order, up to one more line than the limit. */
  lines: TextLine[];
  /** Texts that were left out because too many files may contain them. */
  tooCommon: string[];
}

/** Undefined when the index can't tell. */
export async function findLines(
  reader: RepositoryReader,
  query: TextQuery,
  signal: AbortSignal,
): Promise<FoundTexts | undefined> {
  if (patternOf(query).length > MAX_PATTERN_CHARACTERS) return undefined;
  return reader.withIndexedFiles(query.commit, async (indexed) => {
    if (indexed.set.blobCount === 0 || indexed.unindexed.length > MAX_UNINDEXED_FILES) return undefined;
    if (indexed.tooLarge.length > 0) return undefined;
    const { targets, tooCommon } = targetsOf(indexed, query);
    const texts = query.texts.filter((text) => !tooCommon.includes(text));
    if (texts.length === 0) return { lines: [], tooCommon };
    const pattern = patternOf({ ...query, texts });
    const result = emptyResult(targets.length);
    const enoughLines = query.maxLines + 1;
    await scan({ reader, set: indexed.set, pattern, literal: null, targets, enoughLines, signal }, result);
    if (result.tooLarge.size > 0) return undefined;
    const lines = await readLines(reader, indexed, { targets, places: result.places }, query);
    return { lines, tooCommon };
  });
}

function patternOf({ texts, wholeWords }: TextQuery): string {
  const either = `(?:${texts.map(escapeText).join('|')})`;
  return wholeWords ? `(?-u:\\b{start-half})${either}(?-u:\\b{end-half})` : either;
}

/** As a pattern of ripgrep that matches only this text. */
function escapeText(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/g, '\\$&');
}

/** A query for all texts at once would have too many trigrams to tell anything. */
function targetsOf(
  indexed: IndexedFiles,
  { accepts, leavesOutCommon = false, texts }: TextQuery,
): { targets: Target[]; tooCommon: string[] } {
  const all = { from: 0, to: indexed.files.count };
  const acceptsFile = accepts ? remember((file) => accepts(showPath(pathOf(indexed.files, file)))) : null;
  const byBlob = new Map<number | string, Target>();
  const tooCommon: string[] = [];
  for (const text of texts) {
    const plan = planPattern(escapeText(text));
    const { targets } = findTargets(indexed, { ...plan, literal: null }, all, acceptsFile);
    if (leavesOutCommon && targets.length > MAX_COMMON_FILES) {
      tooCommon.push(text);
      continue;
    }
    for (const target of targets) {
      const key = target.blob === -1 ? target.id : target.blob;
      const known = byBlob.get(key);
      if (!known) byBlob.set(key, target);
      else if (known.pieces && target.pieces) addPieces(known, target);
    }
  }
  const targets = [...byBlob.values()].sort((one, other) => one.files[0]! - other.files[0]!);
  return { targets, tooCommon };
}

/** Common texts are in the same files. */
function remember(accepts: (file: number) => boolean): (file: number) => boolean {
  const known = new Map<number, boolean>();
  return (file) => {
    const answer = known.get(file) ?? accepts(file);
    known.set(file, answer);
    return answer;
  };
}

function addPieces(target: Target, { pieces }: Target): void {
  const starts = new Set(target.pieces!.map(({ from }) => from));
  const more = pieces!.filter(({ from }) => !starts.has(from));
  target.pieces = [...target.pieces!, ...more].sort((one, other) => one.from - other.from);
  target.bytes = target.pieces.reduce((sum, { from, to }) => sum + to - from, 0);
}

async function readLines(
  reader: RepositoryReader,
  { files, set }: IndexedFiles,
  { places, targets }: { targets: Target[]; places: (LineMatch[] | undefined)[] },
  { maxBytes, maxLines }: TextQuery,
): Promise<TextLine[]> {
  const found = targets
    .flatMap((target, index) => {
      const some = places[index];
      return some?.length ? target.files.map((file) => ({ file, target, places: some })) : [];
    })
    .sort((one, other) => one.file - other.file);
  const lines: TextLine[] = [];
  for (const { file, places: some, target } of found) {
    const path = showPath(pathOf(files, file));
    const shown = some.slice(0, maxLines + 1 - lines.length);
    const to = shown.at(-1)!.lineStart + maxBytes;
    const text =
      target.blob === -1
        ? await readFromRepository(reader, target, MAX_FILE_BYTES)
        : readBeginning(set, target.blob, to);
    lines.push(...linesAt(text, shown, maxBytes).map((each) => ({ path, ...each })));
    if (lines.length > maxLines) break;
  }
  return lines;
}

/** Valid until the next text is read. */
function readBeginning(set: IndexedFiles['set'], blob: number, to: number): Buffer {
  const { local, shard } = set.shardOf(blob);
  return readPiece(shard, local, { from: 0, to: Math.min(to, shard.lengths[local]!) });
}

/** `places` are in order. */
function linesAt(text: Buffer, places: LineMatch[], maxBytes: number): Omit<TextLine, 'path'>[] {
  let [line, at] = [1, 0];
  return places.map(({ lineStart }) => {
    for (let next = text.indexOf(LINE_FEED, at); next !== -1 && next < lineStart; ) {
      line += 1;
      at = next + 1;
      next = text.indexOf(LINE_FEED, at);
    }
    const found = text.indexOf(LINE_FEED, lineStart);
    const end = Math.min(found === -1 ? text.length : found, lineStart + maxBytes);
    return { line, text: text.toString('utf8', lineStart, end) };
  });
}
