/** Updates a repository's index: blobs of the given commits that it lacks become new shards, and small shards are merged. */
import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { MalformedTree, parseTree, readObjects } from '../git/index.ts';
import { isLeftBehind } from '../shards/index.ts';
import { MissingObject } from './commits/commit-files.ts';
import { openObjectBatches } from './commits/object-batches.ts';
import { readTreeId, readTrees } from './commits/read-commit.ts';
import { MAX_FILE_BYTES, textOfBlob } from './shards/blob-text.ts';
import type { Shard } from './shards/read-shard.ts';
import { BLOB_KINDS } from './shards/shard-format.ts';
import { openShardSet, type ShardSet } from './shards/shard-set.ts';
import type { TrigramCollector } from './shards/trigrams.ts';
import { ShardWriter } from './shards/write-shard.ts';

/** A shard is closed when its text reaches this size. */
const SHARD_TEXT_BYTES = 64 * 1024 * 1024;
/** When more shards than this are less than a quarter full, they are merged. */
const MAX_SMALL_SHARDS = 8;
const MAX_KNOWN = 20;
const MAX_WHOLE_TREES = 500_000;
const PROGRESS_EVERY_MS = 250;
const CHECK_TEXT_EVERY_MS = 7 * 24 * 60 * 60_000;

export interface IndexRequest {
  gitDir: string;
  indexFolder: string;
  /** Full ids; missing commits are skipped. */
  commits: string[];
  /** The maximum size of the index; blobs that don't fit are searched without it. */
  maxIndexBytes: number;
}

export interface IndexProgress {
  done: number;
  total: number;
  bytes: number;
}

export interface IndexOutcome {
  addedBlobs: number;
  addedBytes: number;
  /** Blobs that didn't fit. */
  leftOut: number;
  indexBytes: number;
}

/** Kept by the index process between builds of a repository. */
interface KnownIndex {
  set: ShardSet;
  /** Trees whose blobs are all indexed, which don't need to be walked again. */
  whole: Set<string>;
}

const known = new Map<string, KnownIndex>();

export async function buildIndex(
  request: IndexRequest,
  collector: TrigramCollector,
  onProgress: (progress: IndexProgress) => void,
  signal: AbortSignal,
): Promise<IndexOutcome> {
  const { indexFolder } = request;
  const idBytes = (request.commits[0]?.length ?? 40) / 2;
  const index = openIndex(indexFolder, idBytes);
  sweep(indexFolder, index.set);
  const walked = await findMissing(request, index, signal);
  const { lacking, ...added } = await addBlobs(request, walked.missing, collector, onProgress, signal);
  markWhole(index.whole, walked, lacking);
  mergeSmall(indexFolder, idBytes, openIndex(indexFolder, idBytes).set, collector);
  return { ...added, indexBytes: bytesIn(indexFolder) };
}

/** Reuses shards that are already open. When one is gone or damaged, the list of complete trees is discarded. */
function openIndex(indexFolder: string, idBytes: number): KnownIndex {
  const before = known.get(indexFolder);
  const opened = openShardSet(indexFolder, idBytes, before?.set);
  const set = withoutDamage(indexFolder, idBytes, opened);
  const isWhole = before && set.blobCount >= before.set.blobCount && set.damaged.length === 0;
  const index = { set, whole: isWhole ? before.whole : new Set<string>() };
  known.delete(indexFolder);
  known.set(indexFolder, index);
  for (const [folder, oldest] of known) {
    if (known.size <= MAX_KNOWN) break;
    oldest.set.close();
    known.delete(folder);
  }
  return index;
}

/** Texts are large, so each is verified only once in a while; the file's mtime records when. */
function withoutDamage(folder: string, idBytes: number, set: ShardSet): ShardSet {
  const now = Date.now();
  const damaged = set.shards.filter((shard) => {
    const file = join(folder, `${shard.name}.text`);
    if (now - statSync(file).mtimeMs < CHECK_TEXT_EVERY_MS) return false;
    if (!shard.checkText()) return true;
    utimesSync(file, now / 1000, now / 1000);
    return false;
  });
  for (const { name } of damaged) {
    for (const ending of ['index', 'text']) rmSync(join(folder, `${name}.${ending}`), { force: true });
  }
  return damaged.length === 0 ? set : openShardSet(folder, idBytes, set);
}

/** Deletes leftovers of killed writers and shards that are damaged or of another version, which are rebuilt. */
function sweep(folder: string, set: ShardSet): void {
  const kept = new Set(set.shards.flatMap(({ name }) => [`${name}.index`, `${name}.text`]));
  for (const file of readdirSync(folder)) {
    if (!/\.(index|text)(\.new)?$/.test(file) || kept.has(file)) continue;
    const path = join(folder, file);
    const isDamaged = set.damaged.some((name) => file.startsWith(`${name}.`));
    if (isDamaged || isLeftBehind(path)) rmSync(path, { force: true });
  }
}

export function bytesIn(folder: string): number {
  return readdirSync(folder).reduce(
    (sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

interface WalkedTrees {
  /** Ids in path order, so that files in the same folder are read together. */
  missing: string[];
  /** Each tree after its subtrees, with the blobs and trees it needs to be complete. */
  trees: { id: string; blobs: string[]; below: string[] }[];
}

async function findMissing(
  { commits, gitDir }: IndexRequest,
  { set, whole }: KnownIndex,
  signal: AbortSignal,
): Promise<WalkedTrees> {
  const objects = openObjectBatches(gitDir);
  const walked: WalkedTrees = { missing: [], trees: [] };
  const seen = new Set<string>();
  try {
    for (const commit of commits) {
      signal.throwIfAborted();
      try {
        const root = await readTreeId(objects, commit);
        const trees = await readTrees(objects, root, (bytes, idStart) => {
          const id = bytes.toString('hex', idStart, idStart + root.length / 2);
          return whole.has(id) || seen.has(id);
        });
        walk(root, trees, set, seen, walked);
      } catch (error) {
        // One unreadable branch must not prevent the others from being indexed.
        if (!(error instanceof MissingObject || error instanceof MalformedTree)) throw error;
      }
    }
  } finally {
    objects.close();
  }
  walked.missing = [...new Set(walked.missing)];
  return walked;
}

function walk(
  id: string,
  trees: Map<string, Buffer>,
  set: ShardSet,
  seen: Set<string>,
  walked: WalkedTrees,
): void {
  const content = trees.get(id);
  if (!content || seen.has(id)) return;
  seen.add(id);
  const idBytes = id.length / 2;
  const tree = { id, blobs: [] as string[], below: [] as string[] };
  for (const { idStart, mode } of parseTree(content, idBytes)) {
    const child = () => content.toString('hex', idStart, idStart + idBytes);
    if (mode === 'folder') {
      tree.below.push(child());
      walk(tree.below.at(-1)!, trees, set, seen, walked);
    } else if (mode === 'file' && set.find(content, idStart) === -1) {
      tree.blobs.push(child());
      walked.missing.push(tree.blobs.at(-1)!);
    }
  }
  walked.trees.push(tree);
}

function markWhole(whole: Set<string>, { trees }: WalkedTrees, lacking: Set<string>): void {
  if (whole.size + trees.length > MAX_WHOLE_TREES) whole.clear();
  for (const { below, blobs, id } of trees) {
    if (blobs.every((blob) => !lacking.has(blob)) && below.every((tree) => whole.has(tree))) whole.add(id);
  }
}

async function addBlobs(
  request: IndexRequest,
  ids: string[],
  collector: TrigramCollector,
  onProgress: (progress: IndexProgress) => void,
  signal: AbortSignal,
): Promise<Omit<IndexOutcome, 'indexBytes'> & { lacking: Set<string> }> {
  const { gitDir, indexFolder } = request;
  const idBytes = (request.commits[0]?.length ?? 40) / 2;
  let room = request.maxIndexBytes - bytesIn(indexFolder);
  let writer: ShardWriter | undefined;
  const outcome = { addedBlobs: 0, addedBytes: 0, leftOut: 0, lacking: new Set<string>() };
  let reportedAt = 0;
  try {
    await readObjects(gitDir, ids, { maxBytes: MAX_FILE_BYTES, signal }, (answer, position) => {
      if (typeof answer === 'string') {
        outcome.lacking.add(ids[position]!);
        return;
      }
      const text = answer.content ? textOfBlob(answer.content) : undefined;
      const bytes = text?.kind === 'text' ? text.bytes.length : 0;
      // Posting lists take about a fifth of the text; this leaves some margin.
      if (bytes * 1.5 + 100 > room) {
        outcome.leftOut += 1;
        outcome.lacking.add(answer.id);
        return;
      }
      room -= bytes * 1.3 + 100;
      writer ??= new ShardWriter(indexFolder, idBytes, collector);
      const id = Buffer.from(answer.id, 'hex');
      if (text?.kind === 'text') writer.addText(id, text.bytes);
      else writer.addOther(id, text ? 'binary' : 'tooLarge');
      outcome.addedBlobs += 1;
      outcome.addedBytes += bytes;
      if (writer.textBytes >= SHARD_TEXT_BYTES) {
        const full = writer;
        writer = undefined;
        full.finish();
      }
      const now = Date.now();
      if (now - reportedAt >= PROGRESS_EVERY_MS) {
        reportedAt = now;
        onProgress({ done: position + 1, total: ids.length, bytes: outcome.addedBytes });
      }
    });
    const last = writer;
    writer = undefined;
    last?.finish();
  } finally {
    writer?.abandon();
  }
  return outcome;
}

/** Each push creates a small shard; without merging, their number would keep growing. */
function mergeSmall(folder: string, idBytes: number, set: ShardSet, collector: TrigramCollector): void {
  const small = set.shards.filter((shard) => shard.textBytes < SHARD_TEXT_BYTES / 4);
  if (small.length <= MAX_SMALL_SHARDS) return;
  // A damaged text must not get a new, matching checksum: its blobs are read again next time.
  const sound = small.filter((shard) => shard.checkText());
  if (sound.length > 0) writeMerged(folder, idBytes, sound, collector);
  for (const { name } of small) {
    // Delete the index first: a text without an index is cleaned up, but an index without a text is damaged.
    rmSync(join(folder, `${name}.index`), { force: true });
    rmSync(join(folder, `${name}.text`), { force: true });
  }
}

function writeMerged(folder: string, idBytes: number, small: Shard[], collector: TrigramCollector): void {
  const writer = new ShardWriter(folder, idBytes, collector);
  // A process killed after writing the merged shard leaves blobs in two shards.
  const written = new Set<string>();
  try {
    for (const shard of small) {
      for (let blob = 0; blob < shard.blobCount; blob += 1) {
        const id = shard.ids.subarray(blob * idBytes, (blob + 1) * idBytes);
        if (written.has(id.toString('latin1'))) continue;
        written.add(id.toString('latin1'));
        if (shard.kinds[blob] === BLOB_KINDS.text) writer.addText(id, shard.readText(blob));
        else writer.addOther(id, shard.kinds[blob] === BLOB_KINDS.binary ? 'binary' : 'tooLarge');
      }
    }
  } catch (error) {
    writer.abandon();
    throw error;
  }
  writer.finish();
}
