/** Keeps the folder of a mirror clean: one writer at a time, and nothing left over from a killed git. */
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CONNECTION_FOLDER_PREFIX } from './connection.ts';

const turns = new Map<string, Promise<unknown>>();

/** Runs jobs on a mirror one after another, so leftovers found at the start can't belong to a running process. */
export async function takeTurn<Result>(gitDir: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (turns.get(gitDir) ?? Promise.resolve()).then(work);
  const settled = turn.then(
    () => {},
    () => {},
  );
  turns.set(gitDir, settled);
  try {
    return await turn;
  } finally {
    if (turns.get(gitDir) === settled) turns.delete(gitDir);
  }
}

/** Where a clone is created before it is renamed into place. */
export function unfinishedPrefix(gitDir: string): string {
  return `${gitDir}.unfinished-`;
}

/** Removes unfinished clones and connections next to the mirror. */
export async function sweepBeside(gitDir: string): Promise<void> {
  const prefixes = [basename(unfinishedPrefix(gitDir)), CONNECTION_FOLDER_PREFIX];
  for (const name of await namesIn(dirname(gitDir)))
    if (prefixes.some((prefix) => name.startsWith(prefix)))
      await rm(join(dirname(gitDir), name), { recursive: true, force: true });
}

/**
 * Removes locks, half-written packs and keep files of packs. No branch or tag can be named `*.lock`: git rejects that.
 * Half-written loose objects are named `tmp_obj_*`, in folders named after the first byte of the id.
 */
export async function sweepInside(gitDir: string): Promise<void> {
  const refs = await readdir(join(gitDir, 'refs'), { recursive: true }).catch(() => []);
  const stale = [
    ...(await namesIn(gitDir)).filter((name) => name.endsWith('.lock')),
    ...refs.filter((name) => name.endsWith('.lock')).map((name) => join('refs', name)),
  ];
  for (const folder of [...(await namesIn(join(gitDir, 'objects'))), 'info/commit-graphs'])
    for (const name of await namesIn(join(gitDir, 'objects', folder)))
      if (/^\.?tmp[-_]|\.(?:lock|keep)$/.test(name)) stale.push(join('objects', folder, name));
  for (const name of stale) await rm(join(gitDir, name), { recursive: true, force: true });
}

export async function countPacks(gitDir: string): Promise<number> {
  const names = await namesIn(join(gitDir, 'objects/pack'));
  return names.filter((name) => name.endsWith('.pack')).length;
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}
