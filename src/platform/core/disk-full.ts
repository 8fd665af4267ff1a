/** Detects a full disk, whether PostgreSQL, the service's own files or a git process reports it. */
import { statfs } from 'node:fs/promises';
import { Problem } from './errors.ts';
import { errorCode } from './start-failure.ts';

/** PostgreSQL's disk_full, and the system's error codes. */
const CODES = new Set(['53100', 'ENOSPC', 'EDQUOT']);
/** With less than this, PostgreSQL can't add another segment to its log. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;

export function isDiskFull(error: unknown): boolean {
  if (CODES.has(errorCode(error) ?? '')) return true;
  if (!(error instanceof Error)) return false;
  return /No space left on device|Disk quota exceeded/.test(error.message) || isDiskFull(error.cause);
}

export function diskFull(cause: unknown): Problem {
  return new Problem('disk_full', 'The service is out of disk space, so nothing was changed.', {
    retryAfterSeconds: 60,
    cause,
  });
}

/** Throws when the folder has almost no free space left. A folder that is missing or can't be measured passes. */
export async function checkFreeSpace(folder: string): Promise<void> {
  const found = await statfs(folder).catch(() => undefined);
  if (!found || found.blocks === 0 || found.bavail * found.bsize >= MIN_FREE_BYTES) return;
  throw Object.assign(new Error(`No disk space left in ${folder}.`), { code: 'ENOSPC' });
}
