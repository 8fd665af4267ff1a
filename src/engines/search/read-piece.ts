/** Reads text of the index into one buffer that is used again and again. */
import type { Shard } from './read-shard.ts';

/** A new buffer for each piece would make the process grow, and starting programs from it slow. */
let scratch = Buffer.allocUnsafe(1 << 16);

/** Good until the next piece is read, so not over anything that is waited for. */
export function readPiece(shard: Shard, blob: number, { from, to }: { from: number; to: number }): Buffer {
  const bytes = to - from;
  if (bytes > scratch.length) scratch = Buffer.allocUnsafe(2 ** Math.ceil(Math.log2(bytes)));
  shard.readInto(scratch, 0, shard.offsets[blob]! + from, bytes);
  return scratch.subarray(0, bytes);
}
