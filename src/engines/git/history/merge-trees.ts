/** Merges branches into a commit without a working tree, many in one process, to learn which of them conflict, and where. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type {
  ConflictedFile,
  ConflictKind,
  TreeMerge,
} from '../../../platform/core/ports/code-differences.ts';
import { showPath } from '../../../platform/core/text/path-text.ts';
import { createBatchParser } from '../run/batch-parser.ts';
import { GitFailure } from '../run/git-failure.ts';
import { type ReadOptions, readOutput, splitOutput } from '../run/read-output.ts';
import { makeTemporaryFolder } from '../run/temporary-folder.ts';
import { CONFLICT_LIMITS, MARKER_SIZE, readConflictHunks } from './conflict-hunks.ts';

export type Merged =
  | { kind: 'failed' }
  | {
      kind: 'merged';
      tree: string;
      conflicts: Map<string, ConflictKind>;
      /** Paths that conflict, as on each side that has them. */
      sides: Map<string, MergedSides>;
    };

export interface MergedSides {
  base?: { mode: string; id: string };
  head?: { mode: string; id: string };
}

const MAX_FIELD_BYTES = 64 * 1024;
const MAX_FILE_BYTES = 1024 * 1024;
/** For these, git writes the file with conflict markers. */
export const WITH_MARKERS: ReadonlySet<ConflictKind> = new Set(['content', 'added_on_both']);

/**
 * Merges each head into `base`; the results are in the order of the heads. All are full ids of commits that the repository has.
 * What git writes goes to a temporary folder.
 */
export async function mergeTrees({
  base,
  heads,
  ...options
}: Pick<ReadOptions, 'gitDir' | 'signal' | 'timeoutMs'> & {
  base: string;
  heads: string[];
}): Promise<TreeMerge[]> {
  const folder = await makeTemporaryFolder('merge');
  try {
    // The repository's own attributes are not read, so that it can't choose a merge driver.
    const attributesFile = join(folder, 'attributes');
    await writeFile(attributesFile, `* conflict-marker-size=${MARKER_SIZE}\n`);
    const reading: ReadOptions = {
      ...options,
      configuration: { 'core.attributesFile': attributesFile, 'merge.conflictStyle': 'merge' },
      extraEnvironment: writingTo(folder, options.gitDir),
    };
    const merged: Merged[] = [];
    let isAlone = false;
    while (merged.length < heads.length) {
      const rest = heads.slice(merged.length, isAlone ? merged.length + 1 : heads.length);
      try {
        for await (const one of runMerges(base, rest, reading)) merged.push(one);
        isAlone = false;
      } catch (error) {
        if (!(error instanceof GitFailure && error.reason === 'exit')) throw error;
        // It ends at a pair that it can't merge at all, and may lose the end of its reply for the one before.
        if (isAlone) merged.push({ kind: 'failed' });
        isAlone = !isAlone;
      }
    }
    return await describeMerges(merged, reading);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The environment in which git writes objects to this folder, beside those of the repository. */
export function writingTo(folder: string, gitDir: string): Record<string, string> {
  return { GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: join(gitDir, 'objects') };
}

/** For each: `1` if it is clean, the tree, entries that conflict up to an empty field, messages up to an empty field. */
export async function* runMerges(
  base: string,
  heads: string[],
  reading: ReadOptions,
): AsyncGenerator<Merged> {
  const input = heads.map((head) => `${base} ${head}\n`).join('');
  const output = readOutput(['merge-tree', '--stdin', '--messages'], { ...reading, input });
  const fields = splitOutput(output, 0, MAX_FIELD_BYTES);
  const next = async (): Promise<string> => {
    const { done, value } = await fields.next();
    if (done) throw new GitFailure('merge-tree', 'exit', 0, 'ended early');
    return value.toString('latin1');
  };
  for (const _ of heads) {
    const isClean = (await next()) === '1';
    const tree = await next();
    const stages = new Map<string, string>();
    const sides = new Map<string, MergedSides>();
    for (let entry = await next(); entry !== ''; entry = await next()) {
      const [, mode, id, stage, path] = /^(\d+) ([0-9a-f]+) ([123])\t(.*)$/s.exec(entry) ?? [];
      if (path === undefined) continue;
      stages.set(path, (stages.get(path) ?? '') + stage!);
      const side = { mode: mode!, id: id! };
      if (stage !== '1') sides.set(path, { ...sides.get(path), [stage === '2' ? 'base' : 'head']: side });
    }
    const types = new Map<string, string>();
    /** Conflicts of no entry, such as where the files of a split folder belong. */
    const others: string[] = [];
    // Advice about submodules, which git prints last, takes the place of the empty field.
    for (let count = await next(); /^\d+$/.test(count); count = await next()) {
      const paths: string[] = [];
      for (let at = 0; at < Number(count); at += 1) paths.push(await next());
      const type = await next();
      await next();
      for (const path of paths) types.set(path, `${types.get(path) ?? ''}${type}\n`);
      if (type.startsWith('CONFLICT') && !paths.some((path) => stages.has(path)))
        others.push(paths[0] ?? '.');
    }
    for (const path of others) stages.set(path, '');
    if (!isClean && stages.size === 0) stages.set('.', '');
    const conflicts = new Map(
      Array.from(stages, ([path, found]): [string, ConflictKind] => [path, kindOf(found, types.get(path))]),
    );
    yield { kind: 'merged', tree, conflicts, sides };
  }
  // Reading to the end says whether git succeeded.
  await fields.next();
}

/** `stages` are the versions that there are: 1 of the merge base, 2 of the base branch, 3 of the head. */
function kindOf(stages: string, types = ''): ConflictKind {
  if (/^CONFLICT ?\([^)]*rename/m.test(types)) return 'renamed';
  if (/submodule/.test(types)) return 'submodule';
  if (/^CONFLICT \(binary\)/m.test(types)) return 'binary';
  switch (stages) {
    case '123':
      return 'content';
    case '23':
      return 'added_on_both';
    case '12':
      return 'deleted_in_head';
    case '13':
      return 'deleted_in_base';
    default:
      return 'other';
  }
}

/** A file that git wrote with conflict markers, to be described. */
interface Marked {
  tree: string;
  path: string;
  file: ConflictedFile;
  /** Shared by the files of a merge. */
  room: { characters: number };
}

/** Reads the files of all merges in one process, which answers in order. */
async function describeMerges(merged: Merged[], reading: ReadOptions): Promise<TreeMerge[]> {
  const marked: Marked[] = [];
  const results = merged.map((one): TreeMerge => {
    if (one.kind === 'failed') return one;
    const { conflicts, tree } = one;
    if (conflicts.size === 0) return { kind: 'clean' };
    const room = { characters: CONFLICT_LIMITS.characters };
    const files = [...conflicts].slice(0, CONFLICT_LIMITS.files).map(([path, kind]): ConflictedFile => {
      const hasMarkers = WITH_MARKERS.has(kind);
      const file = { path: showPath(Buffer.from(path, 'latin1')), kind, hunks: [], truncated: hasMarkers };
      // git names what it didn't find in its reply, where a line break would look like another reply.
      if (hasMarkers && !path.includes('\n')) marked.push({ tree, path, file, room });
      return file;
    });
    return { kind: 'conflicts', total: conflicts.size, files };
  });
  await readMarked(marked, reading);
  return results;
}

/** Files that are too large stay without their hunks. */
async function readMarked(marked: Marked[], reading: ReadOptions): Promise<void> {
  const names = marked.map(({ path, tree }) => `${tree}:${path}`);
  await readNamed(names, reading, (position, content) => {
    const one = marked[position];
    if (one === undefined || !content) return;
    const { hunks, truncated, used } = readConflictHunks(content, one.room.characters);
    one.room.characters -= used;
    Object.assign(one.file, { hunks, truncated });
  });
}

/** The files of a merged tree; null for one that is too large, or can't be named. The content is valid only until the next. */
export async function readFilesAt(
  tree: string,
  paths: readonly string[],
  reading: ReadOptions,
  take: (path: string, content: Buffer | null) => void,
): Promise<void> {
  const named = paths.filter((path) => !path.includes('\n'));
  const names = named.map((path) => `${tree}:${path}`);
  await readNamed(names, reading, (position, content) => take(named[position]!, content));
}

/** Names have one character per byte. */
export async function readNamed(
  names: string[],
  reading: ReadOptions,
  take: (position: number, content: Buffer | null) => void,
): Promise<void> {
  if (names.length === 0) return;
  let position = 0;
  const parse = createBatchParser(
    () => MAX_FILE_BYTES,
    (answer) => {
      take(position, typeof answer === 'object' && answer.type === 'blob' ? answer.content : null);
      position += 1;
    },
  );
  const output = readOutput(['cat-file', '--batch', '-z', '--buffer'], {
    ...reading,
    input: Readable.from([Buffer.from(names.map((name) => `${name}\0`).join(''), 'latin1')]),
  });
  for await (const chunk of output) await parse(chunk);
}
