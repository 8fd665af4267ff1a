/** Tries to write to the backup folder as a backup would, and leaves nothing behind. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../core/work/make-folder.ts';

/** More than file systems keep beside a file's name, so that a full disk is noticed. */
const PROBE_BYTES = 64 * 1024;

/** Throws what the system reports. */
export async function tryFolder(path: string): Promise<void> {
  const folder = resolve(path);
  const missing: string[] = [];
  for (let place = folder; !existsSync(place); place = dirname(place)) missing.push(place);
  const probe = join(folder, `countersign-write-check-${randomUUID()}`);
  try {
    await makeFolder(folder);
    await using file = await open(probe, 'wx', 0o600);
    await file.writeFile(Buffer.alloc(PROBE_BYTES, 'x'));
    await file.sync();
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
    // Another user may run this than the service, who then couldn't write. A folder that is used by now stays.
    for (const made of missing) await rmdir(made).catch(() => undefined);
  }
}
