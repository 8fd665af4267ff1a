/** Reads commits and their trees: the tree of a commit, single trees, and all files of a commit. */

import { type BoundedCache, createBoundedCache } from '../../../platform/core/work/bounded-cache.ts';
import { type BatchAnswer, type ObjectReader, TreeEntries } from '../../git/index.ts';
import { type CommitFiles, MissingObject } from './commit-files.ts';
import { FolderTable } from './folder-table.ts';
import { layOutFiles, MAX_DEPTH, tooDeep } from './lay-out-files.ts';
import type { ObjectBatches } from './object-batches.ts';
import { inOrder } from './tree-order.ts';

const MAX_COMMIT_BYTES = 16 * 1024 * 1024;

export type TreeCache = BoundedCache<Buffer>;
export const createTreeCache = (maxBytes: number): TreeCache => createBoundedCache<Buffer>(maxBytes);

/** The tree id of a commit, by the commit's full id. */
export async function readTreeId(objects: ObjectBatches, commit: string): Promise<string> {
  const [content] = await objects.read([commit], 'commit');
  const tree = treeOf(content!);
  if (!tree) throw new MissingObject(`The repository lacks the commit ${commit}.`);
  return tree;
}

/** The commit that the digits refer to, with its tree. */
export async function lookUpCommit(
  objects: ObjectReader,
  digits: string,
): Promise<{ commit: string; tree: string } | 'missing' | 'ambiguous'> {
  const answer: BatchAnswer = await objects.read(`${digits}^{commit}`, MAX_COMMIT_BYTES);
  if (typeof answer === 'string') return answer;
  const tree = answer.content && treeOf(answer.content);
  return tree ? { commit: answer.id, tree } : 'missing';
}

function treeOf(content: Buffer): string | undefined {
  return /^tree ([0-9a-f]{40,64})\n/.exec(content.toString('latin1', 0, 80))?.[1];
}

export async function readTree(objects: ObjectBatches, cache: TreeCache, id: string): Promise<Buffer> {
  const known = cache.get(id);
  if (known) return known;
  const [content] = await objects.read([id], 'tree');
  // Copied, because the buffer also holds other objects, which would be kept in memory with it.
  const copy = Buffer.from(content!);
  cache.set(id, copy, copy.length + 200);
  return copy;
}

/**
 * Reads all trees below one, a level at a time, then traverses them in order. Folders that another commit has too are
 * copied from it: nearly everything is the same from one commit to the next.
 */
export async function readCommitFiles(
  objects: ObjectBatches,
  rootId: string,
  like?: CommitFiles,
): Promise<CommitFiles> {
  const other = like && { files: like, table: new FolderTable(like) };
  const isKnown = (bytes: Buffer, idStart: number) =>
    other !== undefined && other.table.find(bytes, idStart) !== -1;
  return layOutFiles({ rootId, trees: await readTrees(objects, rootId, isKnown), like: other });
}

/** A tree and everything below it, by id; trees whose ids, at `bytes[idStart]`, are already known are skipped. */
export async function readTrees(
  objects: ObjectBatches,
  rootId: string,
  isKnown: (bytes: Buffer, idStart: number) => boolean,
): Promise<Map<string, Buffer>> {
  const idBytes = rootId.length / 2;
  const trees = new Map<string, Buffer>();
  let level = isKnown(Buffer.from(rootId, 'hex'), 0) ? [] : [rootId];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw tooDeep();
    const contents = await objects.read(level, 'tree');
    const below = new Set<string>();
    for (const [index, content] of contents.entries()) {
      trees.set(level[index]!, inOrder(content, idBytes));
      const entries = new TreeEntries(content, idBytes);
      while (entries.next()) {
        if (!entries.isFolder || isKnown(content, entries.idStart)) continue;
        const child = content.toString('hex', entries.idStart, entries.idStart + idBytes);
        below.add(child);
      }
    }
    // The same tree can occur at several depths.
    level = [...below].filter((id) => !trees.has(id));
  }
  return trees;
}
