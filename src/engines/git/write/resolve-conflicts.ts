/**
 * Merges two commits that conflict, as a person resolves it. What conflicts line by line can be resolved here; other conflicts, such as
 * of binary or renamed files, can only be named.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConflictKind } from '../../../platform/core/ports/code-differences.ts';
import type {
  ConflictsToResolve,
  ConflictToResolve,
  EditableHunk,
  FileResolution,
} from '../../../platform/core/ports/code-writer.ts';
import { readPath, showPath } from '../../../platform/core/text/path-text.ts';
import {
  type Merged,
  type MergedSides,
  readFilesAt,
  readNamed,
  runMerges,
  WITH_MARKERS,
} from '../history/merge-trees.ts';
import { GitFailure } from '../run/git-failure.ts';
import type { ReadOptions } from '../run/read-output.ts';
import {
  editableHunks,
  endLikeFiles,
  type FilePart,
  hasConflict,
  joinResolved,
  RESOLVE_MARKER_SIZE,
  splitConflicts,
} from './conflict-parts.ts';
import { editFiles } from './edit-files.ts';
import type { Workspace } from './workspace.ts';

/** For all files together: enough for people, and little enough for the memory of a service that others use meanwhile. */
const LIMITS = {
  files: 50,
  bytes: 16 * 1024 * 1024,
  hunks: 200,
  characters: 400_000,
  lines: 20_000,
} as const;

/** Here the base is merged into the head; kinds are those of merging the head into the base. */
const OTHER_WAY: Partial<Record<ConflictKind, ConflictKind>> = {
  deleted_in_base: 'deleted_in_head',
  deleted_in_head: 'deleted_in_base',
};

/** Or why a file can't be resolved line by line. */
type Parts = FilePart[] | NonNullable<ConflictToResolve['problem']>;

interface Pair {
  /** The commit that is merged into. */
  on: string;
  other: string;
}

/** Null if git can't merge them at all. */
export async function readConflicts(workspace: Workspace, pair: Pair): Promise<ConflictsToResolve | null> {
  const merged = await mergeMarked(workspace, pair).catch((error: unknown) => {
    if (error instanceof GitFailure && error.reason === 'exit') return null;
    throw error;
  });
  if (!merged) return null;
  const room = { hunks: LIMITS.hunks, characters: LIMITS.characters, lines: LIMITS.lines };
  const listed = [...merged.conflicts].slice(0, LIMITS.files);
  const shown = new Map<string, EditableHunk[] | NonNullable<ConflictToResolve['problem']>>();
  await readParts(merged, listed, (path, parts) => {
    shown.set(path, typeof parts === 'string' ? parts : editableHunks(parts, room));
  });
  const files = listed.map(([path, kind]): ConflictToResolve => {
    const file = { path: showPath(Buffer.from(path, 'latin1')), kind: OTHER_WAY[kind] ?? kind };
    const found = shown.get(path) ?? 'kind';
    return typeof found === 'string'
      ? { ...file, hunks: null, problem: found }
      : { ...file, hunks: found, problem: null };
  });
  return { total: merged.conflicts.size, files };
}

/** The new tree, or the paths that are not resolved, or that don't conflict. */
export async function resolveTree(
  workspace: Workspace,
  pair: Pair,
  files: readonly FileResolution[],
): Promise<{ tree: string } | { unresolved: string[] } | null> {
  const merged = await mergeMarked(workspace, pair);
  if (!merged) return null;
  const left = new Map(files.map(({ hunks, path }) => [readPath(path).toString('latin1'), hunks]));
  const resolved = new Map<string, Buffer>();
  const modeOf = (path: string): string | undefined => {
    const isBase = left.get(path)?.every((hunk) => 'take' in hunk && hunk.take === 'base');
    // git takes the mode of the head for a file that both added.
    return isBase && merged.conflicts.get(path) === 'added_on_both'
      ? merged.sides.get(path)?.head?.mode
      : undefined;
  };
  const named = [...merged.conflicts].filter(([path]) => left.has(path)).slice(0, LIMITS.files);
  await readParts(merged, named, (path, parts) => {
    const content = typeof parts === 'string' ? null : joinResolved(parts, left.get(path) ?? []);
    if (content) resolved.set(path, content);
  });
  const unresolved = new Set([...merged.conflicts.keys(), ...left.keys()]).difference(resolved);
  if (unresolved.size > 0 || resolved.size === 0)
    return { unresolved: Array.from(unresolved, (path) => showPath(Buffer.from(path, 'latin1'))) };
  const edits = Array.from(resolved, ([path, content]) => ({
    path: showPath(Buffer.from(path, 'latin1')),
    content,
    mode: modeOf(path),
  }));
  return { tree: await editFiles(workspace, merged.tree, edits) };
}

interface MarkedMerge {
  tree: string;
  conflicts: Map<string, ConflictKind>;
  /** Named the other way around: here, the base is the head that is merged. */
  sides: Map<string, MergedSides>;
  pair: Pair;
  reading: ReadOptions;
}

async function mergeMarked(workspace: Workspace, pair: Pair): Promise<MarkedMerge | null> {
  // The repository's own attributes are not read, so that it can't choose a merge driver.
  const attributesFile = join(workspace.folder, 'attributes');
  await writeFile(attributesFile, `* conflict-marker-size=${RESOLVE_MARKER_SIZE}\n`);
  const reading: ReadOptions = {
    gitDir: workspace.gitDir,
    signal: workspace.signal,
    extraEnvironment: workspace.extraEnvironment,
    configuration: { 'core.attributesFile': attributesFile, 'merge.conflictStyle': 'merge' },
  };
  const merged = await first(runMerges(pair.on, [pair.other], reading));
  return merged?.kind === 'merged' ? { ...merged, pair, reading } : null;
}

/** One file at a time, so that only what is kept of them takes memory. Parts are valid only until the next. */
async function readParts(
  { pair, reading, sides, tree }: MarkedMerge,
  conflicts: [path: string, kind: ConflictKind][],
  take: (path: string, parts: Parts) => void,
): Promise<void> {
  let room: number = LIMITS.bytes;
  const marked = conflicts.flatMap(([path, kind]) => (WITH_MARKERS.has(kind) ? [path] : []));
  const ids = marked.flatMap((path) =>
    [sides.get(path)?.base?.id ?? [], sides.get(path)?.head?.id ?? []].flat(),
  );
  const lastBytes = new Map<string, number | undefined>();
  await readNamed(ids, reading, (position, content) => lastBytes.set(ids[position]!, content?.at(-1)));
  const lastOf = (side: { id: string } | undefined) => side && lastBytes.get(side.id);
  await readFilesAt(tree, marked, reading, (path, content) => {
    room -= content?.length ?? 0;
    if (!content || room < 0) return take(path, 'too_large');
    const parts = splitConflicts(content, pair);
    const { base: head, head: base } = sides.get(path) ?? {};
    if (parts) endLikeFiles(parts, { head: lastOf(head), base: lastOf(base) });
    // Without markers, it is a conflict of links or modes.
    take(path, !parts ? 'not_text' : hasConflict(parts) ? parts : 'kind');
  });
}

async function first(merges: AsyncIterable<Merged>): Promise<Merged | undefined> {
  let found: Merged | undefined;
  for await (const merged of merges) found ??= merged;
  return found;
}
