/** Scans candidate texts for matching lines: within this process where possible, otherwise with ripgrep. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { readObjects } from '../../git/index.ts';
import { MAX_FILE_BYTES, textOfBlob } from '../shards/blob-text.ts';
import type { Shard } from '../shards/read-shard.ts';
import { BadPattern, type Ripgrep, startRipgrep } from './ripgrep.ts';
import { scanLiteral } from './scan-literal.ts';
import {
  emptyResult,
  firstNeeded,
  type LineMatch,
  type ScanRequest,
  type ScanResult,
} from './scan-request.ts';
import type { Piece, Range, Target } from './targets.ts';
import { openTemporaryFile } from './temporary-file.ts';
import { createTextFeed } from './text-feed.ts';

const FIRST_BYTES = 4 * 1024 * 1024;
/** Up to this many bytes, a single ripgrep does everything. */
const SMALL_BYTES = 16 * 1024 * 1024;
const UNINDEXED_BYTES = 20_000;
/** A run is stopped after this many lines, unless more are requested. */
const MAX_LINES_A_RUN = 20_000;

/** Fills in the result incrementally, so that partial results remain when it is aborted. */
export async function scan(request: ScanRequest, result: ScanResult): Promise<void> {
  const { signal, targets } = request;
  const costs = targets.map(costOf);
  const total = costs.reduce((sum, cost) => sum + cost, 0);

  if (
    request.literal &&
    total <= SMALL_BYTES &&
    targets.every(({ blob, id }) => blob !== -1 || request.reader.isMissing(id)) &&
    scanLiteral(request, request.literal, result)
  )
    return;
  if (total <= SMALL_BYTES) {
    await scanInOrder(request, result, 0, targets.length);
  } else {
    // Frequent patterns find enough at the beginning.
    const first = countWithin(costs, 0, FIRST_BYTES);
    await scanInOrder(request, result, 0, first);
    if (firstNeeded(request, result) !== -1) await scanTogether(request, result, first, costs);
  }
  // A run that was stopped early skipped texts that come before others.
  for (let at = firstNeeded(request, result); at !== -1; at = firstNeeded(request, result)) {
    signal.throwIfAborted();
    if (result.cutOff.delete(at)) result.places[at] = undefined;
    await scanInOrder(request, result, at, at + countWithin(costs, at, SMALL_BYTES));
    // Unindexed texts come last in a run, which may have been stopped before it reached them.
    if (!result.places[at]) await scanInOrder(request, result, at, at + 1);
  }
}

/** About the bytes to scan. */
export function costOf({ blob, bytes }: Target): number {
  return blob === -1 ? UNINDEXED_BYTES : bytes;
}

export function countWithin(costs: number[], from: number, bytes: number): number {
  let [count, sum] = [0, 0];
  while (from + count < costs.length && (count === 0 || sum + costs[from + count]! <= bytes)) {
    sum += costs[from + count]!;
    count += 1;
  }
  return count;
}

/** Runs one ripgrep over a range of texts, in order. */
async function scanInOrder(
  request: ScanRequest,
  result: ScanResult,
  from: number,
  to: number,
): Promise<void> {
  const { pattern, signal, targets } = request;
  const maxLines = Math.max(MAX_LINES_A_RUN, request.enoughLines);
  /** Ripgrep's input: which text, the offset in the whole input, and the offset in that text. */
  const fed: { target: number; start: number; from: number }[] = [];
  let [lines, current] = [0, 0];
  let written = 0;
  const begin = (target: number, start: number) => {
    result.places[target] ??= [];
    fed.push({ target, start: written, from: start });
  };
  const indexed: number[] = [];
  const open: number[] = [];
  for (let target = from; target < to; target += 1) {
    if (!result.places[target]) (targets[target]!.pieces ? indexed : open).push(target);
  }
  // Indexed text is written to a file first, which is much faster than a pipe; git's output is streamed.
  const file = open.length === 0 ? openTemporaryFile() : undefined;
  let ripgrep: Ripgrep | undefined;
  const start = (source: 'written' | { descriptor: number }) => {
    const started = startRipgrep(pattern, source, signal, (lineStart, column) => {
      while (current + 1 < fed.length && fed[current + 1]!.start <= lineStart) current += 1;
      const place = fed[current]!;
      result.places[place.target]!.push({ lineStart: place.from + lineStart - place.start, column });
      lines += 1;
      if (lines === maxLines) started.stop();
    });
    ripgrep = started;
    return started;
  };
  let isComplete = false;
  try {
    const feed = createTextFeed(file ? file.write : start('written').write);
    for (const target of indexed) {
      const { blob, pieces } = targets[target]!;
      const { local, shard } = request.set.shardOf(blob);
      for (const line of linesOf(pieces!)) {
        begin(target, line.from);
        const added = feed.addFrom(shard, local, line);
        written += typeof added === 'number' ? added : await added;
      }
    }
    await readUnindexed(request, result, open, async (target, bytes) => {
      begin(target, 0);
      written += await feed.add(bytes);
    });
    await feed.flush();
    const running = ripgrep ?? start({ descriptor: file!.descriptor });
    running.end();
    await running.done;
    isComplete = lines < maxLines;
  } finally {
    file?.close();
    if (!isComplete) {
      ripgrep?.stop();
      cutOff(
        result,
        fed.slice(current).map(({ target }) => target),
      );
    }
  }
}

/** ripgrep gets whole lines, each once. */
function linesOf(pieces: Piece[]): Range[] {
  const lines: Range[] = [];
  for (const { line } of pieces) {
    const last = lines.at(-1);
    if (last && line.from < last.to) continue;
    if (last?.to === line.from) last.to = line.to;
    else lines.push({ ...line });
  }
  return lines;
}

/** Anything after the last reported line may not have been scanned. */
function cutOff(result: ScanResult, [last, ...rest]: number[]): void {
  if (last === undefined) return;
  if (result.places[last]!.length > 0) result.cutOff.add(last);
  else result.places[last] = undefined;
  for (const target of rest) if (target !== last) result.places[target] = undefined;
}

/** Reads unindexed texts from the repository; `take` receives them one after another. */
async function readUnindexed(
  { reader, signal, targets }: ScanRequest,
  result: ScanResult,
  open: number[],
  take: (target: number, bytes: Buffer) => Promise<void>,
): Promise<void> {
  const present = open.filter((target) => {
    if (!reader.isMissing(targets[target]!.id)) return true;
    result.missing.add(target);
    result.places[target] = [];
    return false;
  });
  const ids = present.map((target) => targets[target]!.id);
  await readObjects(reader.gitDir, ids, { maxBytes: MAX_FILE_BYTES, signal }, (answer, position) => {
    const target = present[position]!;
    if (typeof answer === 'string') {
      result.missing.add(target);
      reader.noteMissing(ids[position]!);
    } else if (!answer.content) result.tooLarge.add(target);
    else {
      const text = textOfBlob(answer.content);
      if (text.kind === 'text') return take(target, text.bytes);
    }
    result.places[target] = [];
    return undefined;
  });
}

/** Scans the rest on all cores; shards of which most is needed are scanned in place. */
async function scanTogether(
  request: ScanRequest,
  result: ScanResult,
  from: number,
  costs: number[],
): Promise<void> {
  const { set, targets } = request;
  const wanted = set.shards.map(() => ({ bytes: 0, targets: new Map<number, number>() }));
  const others: number[] = [];
  for (let target = from; target < targets.length; target += 1) {
    const { blob, bytes } = targets[target]!;
    if (blob === -1) {
      others.push(target);
      continue;
    }
    const { local, shard } = set.shardOf(blob);
    const entry = wanted[set.shards.indexOf(shard)]!;
    entry.bytes += bytes;
    entry.targets.set(local, target);
  }
  const units: (() => Promise<void>)[] = [];
  set.shards.forEach((shard, index) => {
    const entry = wanted[index]!;
    if (entry.targets.size === 0) return;
    if (entry.bytes * 2 >= shard.textBytes)
      units.push(() => scanShard(request, result, shard, entry.targets));
    else others.push(...entry.targets.values());
  });
  others.sort((one, other) => one - other);
  const lanes = Math.min(2, availableParallelism());
  const share = Math.max(SMALL_BYTES, others.reduce((sum, target) => sum + costs[target]!, 0) / lanes);
  for (let at = 0; at < others.length; ) {
    const count = countWithin(
      others.map((target) => costs[target]!),
      at,
      share,
    );
    const some = others.slice(at, at + count);
    units.push(() => scanSome(request, result, some));
    at += count;
  }
  const queue = units.values();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const unit of queue) await unit();
    }),
  );
}

async function scanSome(request: ScanRequest, result: ScanResult, some: number[]): Promise<void> {
  const targets = some.map((target) => request.targets[target]!);
  const part = emptyResult(some.length);
  try {
    await scanInOrder({ ...request, targets }, part, 0, some.length);
  } finally {
    some.forEach((target, index) => {
      result.places[target] = part.places[index];
      if (part.cutOff.has(index)) result.cutOff.add(target);
      if (part.missing.has(index)) result.missing.add(target);
      if (part.tooLarge.has(index)) result.tooLarge.add(target);
    });
  }
}

async function scanShard(
  { pattern, signal }: ScanRequest,
  result: ScanResult,
  shard: Shard,
  wanted: Map<number, number>,
): Promise<void> {
  const found = new Map<number, LineMatch[]>();
  let [lines, blob] = [0, 0];
  const ripgrep = startRipgrep(pattern, { file: shard.textFile }, signal, (lineStart, column) => {
    while (blob + 1 < shard.blobCount && shard.offsets[blob + 1]! <= lineStart) blob += 1;
    lines += 1;
    if (lines > MAX_LINES_A_RUN) return ripgrep.stop();
    const target = wanted.get(blob);
    if (target === undefined) return;
    const place = { lineStart: lineStart - shard.offsets[blob]!, column };
    const places = found.get(target);
    if (places) places.push(place);
    else found.set(target, [place]);
  });
  ripgrep.end();
  try {
    await ripgrep.done;
  } catch (error) {
    // The file was unlinked because the shard was merged into another. The open handle can still be read, in order.
    if (error instanceof BadPattern || signal.aborted || existsSync(shard.textFile)) throw error;
    return;
  }
  // A stopped run says nothing about what follows, which is then scanned in order.
  if (lines > MAX_LINES_A_RUN) return;
  for (const target of wanted.values()) result.places[target] = found.get(target) ?? [];
}
