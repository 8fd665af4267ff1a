/** Finds removed lines among the added ones: a block that is there exactly once, and says enough to be recognized. */
import type { ChangedLines, FileHunks } from '../../platform/core/ports/code-differences.ts';

/** Letters and digits that a block must have to be recognized. */
const LEAST_WORD_CHARACTERS = 24;
/** How many lines around a block that says too little are looked for together with it. */
const AROUND = [0, 1, 2, 3, 5, 8, 13, 21];
/** A line that is added very often says nothing about where a block is. */
const MAX_OCCURRENCES = 1000;

export interface MovedBlock {
  path: string;
  start: number;
  end: number;
  /** Whether the hunk that removed it added it again. */
  inPlace: boolean;
}

/** Lines that occur everywhere: nothing but punctuation. */
export function isTrivial(line: string): boolean {
  return !/[\p{L}\p{N}]/u.test(line);
}

/** All added lines that aren't trivial, one hunk after another. */
interface AddedLines {
  /** Without white space; an empty one between hunks. */
  texts: string[];
  newLines: number[];
  files: number[];
  hunks: (ChangedLines | null)[];
  places: Map<string, number[]>;
}

export function createMovedBlocks(files: readonly FileHunks[]) {
  let added: AddedLines | undefined;
  /** Computed once per hunk: many places can be in one that removes a whole file. */
  const tellingOf = new Map<ChangedLines, TellingLine[]>();

  /** Where the lines of the place are, which the hunks removed, but for trivial ones. */
  function find(
    place: { startLine: number; endLine: number },
    hunks: ChangedLines[],
    file: FileHunks,
  ): MovedBlock | undefined {
    if (hunks.some(({ oldLines, removed }) => removed.length < oldLines)) return undefined;
    const telling = hunks.flatMap((hunk) => {
      if (!tellingOf.has(hunk)) tellingOf.set(hunk, tellingLines(hunk));
      return tellingOf.get(hunk)!;
    });
    const first = telling.findIndex(({ line }) => line >= place.startLine);
    const last = telling.findLastIndex(({ line }) => line <= place.endLine);
    if (first === -1 || last < first) return undefined;
    added ??= indexAdded(files);
    const here = files.indexOf(file);
    for (const [before, after] of windows()) {
      const [from, to] = [Math.max(0, first - before), Math.min(telling.length - 1, last + after)];
      const block = telling.slice(from, to + 1).map(({ text }) => text);
      if (wordCharacters(block) < LEAST_WORD_CHARACTERS) continue;
      const at = onlyPlaceOf(added, block, here);
      if (at === undefined) continue;
      const start = at + first - from;
      const end = start + last - first;
      return {
        path: files[added.files[start]!]!.path!,
        // Trivial lines at its edges moved with it.
        start: Math.max(1, added.newLines[start]! - (telling[first]!.line - place.startLine)),
        end: added.newLines[end]! + (place.endLine - telling[last]!.line),
        inPlace: hunks.includes(added.hunks[start]!),
      };
    }
    return undefined;
  }

  return { find };
}

interface TellingLine {
  line: number;
  /** Without white space. */
  text: string;
}

function tellingLines({ oldStart, removed }: ChangedLines): TellingLine[] {
  return removed
    .map((text, index) => ({ line: oldStart + index, text: withoutSpace(text) }))
    .filter(({ text }) => !isTrivial(text));
}

/** How many lines before and after to take along. */
function* windows(): Generator<[before: number, after: number]> {
  for (const around of AROUND) {
    yield [around, around];
    if (around > 0) yield* [[around, 0] as [number, number], [0, around] as [number, number]];
  }
}

function indexAdded(files: readonly FileHunks[]): AddedLines {
  const added: AddedLines = { texts: [], newLines: [], files: [], hunks: [], places: new Map() };
  const push = (text: string, newLine: number, file: number, hunk: ChangedLines | null) => {
    added.texts.push(text);
    added.newLines.push(newLine);
    added.files.push(file);
    added.hunks.push(hunk);
  };
  for (const [file, { hunks, path }] of files.entries()) {
    if (path === null) continue;
    for (const hunk of hunks) {
      for (const [index, line] of hunk.added.entries()) {
        const text = withoutSpace(line);
        if (isTrivial(text)) continue;
        const places = added.places.get(text);
        if (places) places.push(added.texts.length);
        else added.places.set(text, [added.texts.length]);
        push(text, hunk.newStart + index, file, hunk);
      }
      push('', 0, file, null);
    }
  }
  return added;
}

/** Its only place in the same file, else its only place in all. */
function onlyPlaceOf(
  { files, places, texts }: AddedLines,
  block: string[],
  file: number,
): number | undefined {
  const candidates = places.get(block[0]!) ?? [];
  if (candidates.length > MAX_OCCURRENCES) return undefined;
  const found = candidates.filter((at) => block.every((text, index) => texts[at + index] === text));
  const here = found.filter((at) => files[at] === file);
  if (here.length > 0) return here.length === 1 ? here[0] : undefined;
  return found.length === 1 ? found[0] : undefined;
}

function wordCharacters(block: string[]): number {
  return block.reduce((sum, text) => sum + text.replaceAll(/[^\p{L}\p{N}]/gu, '').length, 0);
}

function withoutSpace(line: string): string {
  return line.replaceAll(/\s+/g, '');
}
