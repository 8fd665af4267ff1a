/**
 * Temporary folders of reviews, merges and new commits, which hold code. They are named after their process, so that those of a process that was killed
 * can be told from those in use.
 */
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../../platform/core/work/is-alive.ts';

const KINDS = ['merge', 'patch', 'preview', 'review', 'rules', 'write'] as const;
const NAME = new RegExp(`^countersign-(?:${KINDS.join('|')})-(\\d+)-`);
/** Process ids are reused. Nothing takes this long. */
const MAX_AGE_MS = 24 * 60 * 60_000;

export function makeTemporaryFolder(kind: (typeof KINDS)[number]): Promise<string> {
  return mkdtemp(join(tmpdir(), `countersign-${kind}-${process.pid}-`));
}

/** Removes what killed processes of this user left. */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined) continue;
    const folder = join(tmpdir(), name);
    const found = await lstat(folder).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
    if (isAlive(Number(pid)) && Date.now() - found.mtimeMs < MAX_AGE_MS) continue;
    await rm(folder, { recursive: true, force: true });
  }
}
