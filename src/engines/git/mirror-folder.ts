/** Keeps the folder of a mirror in order: one writer at a time, and nothing left of a git that was killed. */
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CONNECTION_FOLDER_PREFIX } from './connection.ts';

const turns = new Map<string, Promise<unknown>>();

/** Runs pieces of work on a mirror one after the other, so that what lies around when one begins was left by nobody alive. */
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

/** Where a clone is made before it gets its name. */
export function unfinishedPrefix(gitDir: string): string {
  return `${gitDir}.unfinished-`;
}

/** Removes unfinished clones and connections beside the mirror. */
export async function sweepBeside(gitDir: string): Promise<void> {
  const prefixes = [basename(unfinishedPrefix(gitDir)), CONNECTION_FOLDER_PREFIX];
  for (const name of await namesIn(dirname(gitDir)))
    if (prefixes.some((prefix) => name.startsWith(prefix)))
      await rm(join(dirname(gitDir), name), { recursive: true, force: true });
}

/**
 * Removes locks, half-written packs and marks of packs in use. No branch or tag can be called `*.lock`: git itself refuses that.
 * Half-written loose objects are called `tmp_obj_*` and lie in folders by the first byte of the id.
 */
export async function sweepInside(gitDir: string): Promise<void> {
  const refs = await readdir(join(gitDir, 'refs'), { recursive: true }).catch(() => []);
  const stale = [
    ...(await namesIn(gitDir)).filter((name) => name.endsWith('.lock')),
    ...refs.filter((name) => name.endsWith('.lock')).map((name) => join('refs', name)),
  ];
  for (const folder of await namesIn(join(gitDir, 'objects')))
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
