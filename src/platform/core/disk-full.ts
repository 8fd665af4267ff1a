/** A full disk, wherever it shows: in PostgreSQL, in the service's own files, or in a git that it started. */
import { statfs } from 'node:fs/promises';
import { Problem } from './errors.ts';
import { errorCode } from './start-failure.ts';

/** PostgreSQL's disk_full, and what the system says. */
const CODES = new Set(['53100', 'ENOSPC', 'EDQUOT']);
/** With less than this, PostgreSQL can't add another segment to its log. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;

export function isDiskFull(error: unknown): boolean {
  if (CODES.has(errorCode(error) ?? '')) return true;
  if (!(error instanceof Error)) return false;
  return /No space left on device|Disk quota exceeded/.test(error.message) || isDiskFull(error.cause);
}

export function diskFull(cause: unknown): Problem {
  return new Problem('disk_full', 'The service has no disk space left, so nothing was changed.', {
    retryAfterSeconds: 60,
    cause,
  });
}

/** Fails when there is next to no room in the folder; one that isn't there, or doesn't say, has room. */
export async function checkFreeSpace(folder: string): Promise<void> {
  const found = await statfs(folder).catch(() => undefined);
  if (!found || found.blocks === 0 || found.bavail * found.bsize >= MIN_FREE_BYTES) return;
  throw Object.assign(new Error(`There is no space left in ${folder}.`), { code: 'ENOSPC' });
}
