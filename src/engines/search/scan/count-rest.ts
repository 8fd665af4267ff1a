/** Counts the matching lines of texts that a search left out because it had found enough. */
import { costOf, countWithin, scan } from './scan.ts';
import { emptyResult, type ScanRequest, type ScanResult } from './scan-request.ts';

/** So little at once that the lines fit in memory even if each is empty, and that other requests are answered in between. */
const BYTES_AT_ONCE = 2 * 1024 * 1024;

/** Fills in the result incrementally, so that what was counted remains when it is aborted. */
export async function countRest(request: ScanRequest, result: ScanResult): Promise<void> {
  const rest = [...request.targets.keys()].filter(
    (index) => result.places[index] === undefined || result.cutOff.has(index),
  );
  const costs = rest.map((index) => costOf(request.targets[index]!));
  for (let at = 0; at < rest.length; ) {
    request.signal.throwIfAborted();
    const some = rest.slice(at, at + countWithin(costs, at, BYTES_AT_ONCE));
    at += some.length;
    const part = emptyResult(some.length);
    const targets = some.map((index) => request.targets[index]!);
    await scan({ ...request, targets, enoughLines: Number.POSITIVE_INFINITY, skipFiles: 0 }, part);
    some.forEach((index, position) => {
      result.counts.set(index, part.places[position]!.length);
      result.cutOff.delete(index);
      if (part.missing.has(position)) result.missing.add(index);
      if (part.tooLarge.has(position)) result.tooLarge.add(index);
    });
    await new Promise(setImmediate);
  }
}
