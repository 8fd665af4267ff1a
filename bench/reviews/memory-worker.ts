/** Reads the memory of a process and its descendants from time to time, as Linux reports it, and posts the most so far. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { MemoryUse } from './memory.ts';

const LOOK_EVERY_MS = 500;

const most: MemoryUse = { ownMegabytes: 0, totalMegabytes: 0 };

setInterval(() => {
  const total = familyOf(workerData).reduce((sum, each) => sum + megabytes(each, 'Pss'), 0);
  most.ownMegabytes = Math.max(most.ownMegabytes, megabytes(workerData, 'Rss'));
  most.totalMegabytes = Math.max(most.totalMegabytes, total);
  parentPort!.postMessage(most);
}, LOOK_EVERY_MS);

/** The process and all of its descendants. */
function familyOf(processId: number): number[] {
  const family = [processId];
  for (const each of family) {
    const children = read(`/proc/${each}/task/${each}/children`);
    family.push(...(children.match(/\d+/g) ?? []).map(Number));
  }
  return family;
}

/** `Pss` counts memory that processes share once. */
function megabytes(processId: number, field: 'Rss' | 'Pss'): number {
  const found = new RegExp(`^${field}: +(\\d+) kB`, 'm').exec(read(`/proc/${processId}/smaps_rollup`));
  return (Number(found?.[1] ?? 0) * 1024) / 1e6;
}

/** Empty when the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
