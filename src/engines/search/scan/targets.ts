/** Chooses the texts that a search must scan: those of a commit that can match, each once, in the order of their first paths. */

import { idOf } from '../commits/commit-files.ts';
import type { IndexedFiles } from '../commits/indexed-files.ts';
import type { PatternPlan } from '../pattern/index.ts';
import { NEIGHBOR_BYTES } from '../pattern/literal-text.ts';
import { chooseParts } from '../shards/choose-parts.ts';
import type { Shard } from '../shards/read-shard.ts';
import { BLOB_KINDS, OVERLAP_BYTES } from '../shards/shard-format.ts';

export interface Target {
  /** The number of the blob in the index; -1 when it must be read from the repository. */
  blob: number;
  id: string;
  /** The pieces that can match, in order; null when the text isn't indexed. */
  pieces: Piece[] | null;
  /** The size of these pieces; unknown for a text that isn't indexed. */
  bytes: number;
  /** The files with this content, ascending. */
  files: number[];
}

export interface Range {
  from: number;
  to: number;
}

/** Whole lines, or a piece of a very long line, whose bounds are in `line`. */
export interface Piece extends Range {
  line: Range;
}

export interface Targets {
  targets: Target[];
  /** Files that are never searched because they are too large. */
  tooLarge: number;
}

/** `accepts` filters files by their paths; it is asked only for files that can match. */
export function findTargets(
  indexed: IndexedFiles,
  plan: PatternPlan,
  within: Range,
  accepts: ((file: number) => boolean) | null = null,
): Targets {
  const { files, set, unindexed } = indexed;
  // The characters around a word must be in the same piece.
  const isShort = plan.literal !== null && plan.literal.bytes.length + NEIGHBOR_BYTES <= OVERLAP_BYTES;
  const isWithin = (file: number) =>
    file >= within.from && file < within.to && (accepts === null || accepts(file));
  const targets: Target[] = [];
  set.shards.forEach((shard, index) => {
    for (const [local, pieces] of piecesByBlob(shard, plan, isShort)) {
      const blob = set.bases[index]! + local;
      const all = filesWith(indexed, blob, within);
      const having = accepts ? all.filter(accepts) : all;
      if (having.length === 0) continue;
      const bytes = pieces.reduce((sum, { from, to }) => sum + to - from, 0);
      targets.push({ blob, id: '', pieces, bytes, files: having });
    }
  });
  const byId = new Map<string, Target>();
  for (const file of unindexed.filter(isWithin)) {
    const id = idOf(files, file);
    const known = byId.get(id);
    if (known) known.files.push(file);
    else byId.set(id, { blob: -1, id, pieces: null, bytes: 0, files: [file] });
  }
  targets.push(...byId.values());
  targets.sort((one, other) => one.files[0]! - other.files[0]!);
  return { targets, tooLarge: indexed.tooLarge.filter(isWithin).length };
}

/** Where each text blob can match. Only a short match lies within one piece of a very long line. */
function piecesByBlob(shard: Shard, plan: PatternPlan, isShort: boolean): Map<number, Piece[]> {
  const byBlob = new Map<number, Piece[]>();
  const parts = chooseParts(shard, plan, isShort);
  if (parts === 'all') {
    for (let blob = 0; blob < shard.blobCount; blob += 1) {
      if (shard.kinds[blob] === BLOB_KINDS.text)
        byBlob.set(blob, [whole({ from: 0, to: shard.lengths[blob]! })]);
    }
    return byBlob;
  }
  for (const part of parts) {
    const blob = shard.owners[part]!;
    const line = lineOf(shard, part);
    const piece = isShort ? pieceOf(shard, part, line) : whole(line);
    const pieces = byBlob.get(blob);
    if (pieces) pieces.push(piece);
    else byBlob.set(blob, [piece]);
  }
  return byBlob;
}

function whole(line: Range): Piece {
  return { ...line, line };
}

/** All lines that a part belongs to, within its blob. */
function lineOf(shard: Shard, part: number): Range {
  const first = shard.groups[part]!;
  const blob = shard.owners[part]!;
  let next = part + 1;
  while (shard.groups[next] === first) next += 1;
  const base = shard.offsets[blob]!;
  const to = shard.owners[next] === blob ? shard.parts[next]! - base : shard.lengths[blob]!;
  return { from: shard.parts[first]! - base, to };
}

function pieceOf(shard: Shard, part: number, line: Range): Piece {
  const base = shard.offsets[shard.owners[part]!]!;
  const isLast = shard.groups[part + 1] !== shard.groups[part];
  const end = isLast ? line.to : Math.min(line.to, shard.parts[part + 1]! - base + OVERLAP_BYTES);
  return { from: shard.parts[part]! - base, to: end, line };
}

/** Ascending. */
function filesWith({ fileOf, next }: IndexedFiles, blob: number, { from, to }: Range): number[] {
  const having: number[] = [];
  for (let file = fileOf[blob]!; file !== -1; file = next[file]!) {
    if (file >= from && file < to) having.push(file);
  }
  return having;
}
