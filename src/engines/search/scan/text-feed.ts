/** The input for ripgrep: concatenated texts, each ending with a line feed, in large writes. */
import type { Shard } from '../shards/read-shard.ts';
import type { Ripgrep } from './ripgrep.ts';
import type { Range } from './targets.ts';

const WRITE_BYTES = 1 << 20;
const LINE_FEED = 10;
const LINE_END = Buffer.from('\n');

/** Combines small texts into larger writes. */
export function createTextFeed(write: Ripgrep['write']) {
  let pending = Buffer.allocUnsafe(WRITE_BYTES);
  let filled = 0;
  const flush = async () => {
    if (filled === 0) return;
    await write(pending.subarray(0, filled));
    pending = Buffer.allocUnsafe(WRITE_BYTES);
    filled = 0;
  };
  /** Ends the last line if it isn't terminated. */
  const keep = (bytes: number): number => {
    filled += bytes;
    if (bytes === 0 || pending[filled - 1] === LINE_FEED) return bytes;
    pending[filled] = LINE_FEED;
    filled += 1;
    return bytes + 1;
  };
  const writeAlone = async (some: Buffer): Promise<number> => {
    await write(some);
    if (some.at(-1) === LINE_FEED) return some.length;
    await write(LINE_END);
    return some.length + 1;
  };
  const fits = (bytes: number) => filled + bytes + 1 <= WRITE_BYTES;
  return {
    /** The number of bytes added, including a final line feed. */
    async add(some: Buffer): Promise<number> {
      if (!fits(some.length)) await flush();
      if (!fits(some.length)) return writeAlone(some);
      some.copy(pending, filled);
      return keep(some.length);
    },
    /** The same for text of a shard, which is read directly into the buffer; a promise only when there is no room. */
    addFrom(shard: Shard, blob: number, range: Range): number | Promise<number> {
      const bytes = range.to - range.from;
      const readHere = () => {
        shard.readInto(pending, filled, shard.offsets[blob]! + range.from, bytes);
        return keep(bytes);
      };
      if (fits(bytes)) return readHere();
      return flush().then(() => (fits(bytes) ? readHere() : writeAlone(shard.readText(blob, range))));
    },
    flush,
  };
}
