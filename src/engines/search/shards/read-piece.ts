/** Reads index text into one reused buffer. */
import type { Shard } from './read-shard.ts';

/** A new buffer per piece would grow the process, and slow down starting programs from it. */
let scratch = Buffer.allocUnsafe(1 << 16);

/** Valid until the next piece is read, so never across an await. */
export function readPiece(shard: Shard, blob: number, { from, to }: { from: number; to: number }): Buffer {
  const bytes = to - from;
  if (bytes > scratch.length) scratch = Buffer.allocUnsafe(2 ** Math.ceil(Math.log2(bytes)));
  shard.readInto(scratch, 0, shard.offsets[blob]! + from, bytes);
  return scratch.subarray(0, bytes);
}
