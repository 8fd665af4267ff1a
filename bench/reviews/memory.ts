/** The most memory that a process had, alone and with its descendants, as Linux reports it. */
import { readdirSync, readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 250;

export interface MemoryUse {
  ownMegabytes: number;
  totalMegabytes: number;
}

export function watchMemory(processId: number): { stop(): MemoryUse } {
  const most: MemoryUse = { ownMegabytes: 0, totalMegabytes: 0 };
  const timer = setInterval(() => {
    const own = megabytes(processId, 'Rss');
    const total = familyOf(processId).reduce((sum, each) => sum + megabytes(each, 'Pss'), 0);
    most.ownMegabytes = Math.max(most.ownMegabytes, own);
    most.totalMegabytes = Math.max(most.totalMegabytes, total);
  }, LOOK_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

/** The process and all of its descendants. */
function familyOf(processId: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The name of the program is in parentheses and may contain anything.
    const parent = Number(read(`/proc/${name}/stat`).split(') ').at(-1)!.split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const family = [processId];
  for (const each of family) family.push(...(children.get(each) ?? []));
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
