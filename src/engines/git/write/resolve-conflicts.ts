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
  FileResolution,
} from '../../../platform/core/ports/code-writer.ts';
import { readPath, showPath } from '../../../platform/core/text/path-text.ts';
import { type Merged, readFilesAt, runMerges, WITH_MARKERS } from '../history/merge-trees.ts';
import { GitFailure } from '../run/git-failure.ts';
import type { ReadOptions } from '../run/read-output.ts';
import {
  editableHunks,
  type FilePart,
  joinResolved,
  RESOLVE_MARKER_SIZE,
  splitConflicts,
} from './conflict-parts.ts';
import { editFiles } from './edit-files.ts';
import type { Workspace } from './workspace.ts';

const LIMITS = { files: 50, hunks: 200, characters: 400_000 } as const;

/** Here the base is merged into the head; kinds are those of merging the head into the base. */
const OTHER_WAY: Partial<Record<ConflictKind, ConflictKind>> = {
  deleted_in_base: 'deleted_in_head',
  deleted_in_head: 'deleted_in_base',
};

interface Conflict {
  /** One character per byte. */
  path: string;
  kind: ConflictKind;
  /** Null if it can't be resolved line by line. */
  parts: FilePart[] | null;
}

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
  const room = { hunks: LIMITS.hunks, characters: LIMITS.characters };
  const files = merged.conflicts.slice(0, LIMITS.files).map(({ kind, parts, path }): ConflictToResolve => {
    const file = { path: showPath(Buffer.from(path, 'latin1')), kind };
    if (!parts) return { ...file, hunks: null, problem: WITH_MARKERS.has(kind) ? 'not_text' : 'kind' };
    const hunks = editableHunks(parts);
    if (!hunks) return { ...file, hunks: null, problem: 'not_text' };
    room.hunks -= hunks.length;
    for (const { base, head } of hunks) room.characters -= base.length + head.length;
    return room.hunks < 0 || room.characters < 0
      ? { ...file, hunks: null, problem: 'too_large' }
      : { ...file, hunks, problem: null };
  });
  return { total: merged.conflicts.length, files };
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
  const unresolved: string[] = [];
  const edits: { path: string; content: Buffer }[] = [];
  for (const { parts, path } of merged.conflicts) {
    const content = parts && joinResolved(parts, left.get(path) ?? []);
    const shown = showPath(Buffer.from(path, 'latin1'));
    left.delete(path);
    if (content === null) unresolved.push(shown);
    else edits.push({ path: shown, content: Buffer.from(content, 'latin1') });
  }
  unresolved.push(...[...left.keys()].map((path) => showPath(Buffer.from(path, 'latin1'))));
  if (unresolved.length > 0 || edits.length === 0) return { unresolved };
  return { tree: await editFiles(workspace, merged.tree, edits) };
}

async function mergeMarked(
  workspace: Workspace,
  pair: Pair,
): Promise<{ tree: string; conflicts: Conflict[] } | null> {
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
  if (merged?.kind !== 'merged') return null;
  const { conflicts, tree } = merged;
  const marked = [...conflicts].flatMap(([path, kind]) => (WITH_MARKERS.has(kind) ? [path] : []));
  const contents = new Map<string, FilePart[] | null>();
  await readFilesAt(tree, marked, reading, (path, content) => {
    contents.set(path, content && splitConflicts(content.toString('latin1'), pair));
  });
  return {
    tree,
    conflicts: Array.from(conflicts, ([path, kind]) => ({
      path,
      kind: OTHER_WAY[kind] ?? kind,
      parts: contents.get(path) ?? null,
    })),
  };
}

async function first(merges: AsyncIterable<Merged>): Promise<Merged | undefined> {
  let found: Merged | undefined;
  for await (const merged of merges) found ??= merged;
  return found;
}
