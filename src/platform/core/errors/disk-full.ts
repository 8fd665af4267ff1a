/** Detects a full disk, whether PostgreSQL, the service's own files or a git process reports it. */
import { statfs } from 'node:fs/promises';
import { Problem } from './errors.ts';
import { errorCode } from './start-failure.ts';

const POSTGRES_DISK_FULL = '53100';
const CODES = new Set([POSTGRES_DISK_FULL, 'ENOSPC', 'EDQUOT']);
/** With less than this, PostgreSQL can't add another segment to its log. */
export const MIN_FREE_BYTES = 16 * 1024 * 1024;

export function isDiskFull(error: unknown): boolean {
  if (CODES.has(errorCode(error) ?? '')) return true;
  if (!(error instanceof Error)) return false;
  return /No space left on device|Disk quota exceeded/.test(error.message) || isDiskFull(error.cause);
}

export function diskFull(cause: unknown): Problem {
  const disk = isOfDatabase(cause) ? 'the database' : 'the data folder';
  const said = `The disk of ${disk} is full, so nothing was changed. Reading still works. The operator needs to free some space.`;
  return new Problem('disk_full', said, {
    retryAfterSeconds: 60,
    cause,
  });
}

function isOfDatabase(error: unknown): boolean {
  if (errorCode(error) === POSTGRES_DISK_FULL) return true;
  return error instanceof Error && error.cause !== undefined && isOfDatabase(error.cause);
}

/** Undefined for a folder that is missing or can't be measured. */
export async function freeBytesOf(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined);
  return found && found.blocks > 0 ? found.bavail * found.bsize : undefined;
}

/** Throws when the folder has almost no free space left. A folder that is missing or can't be measured passes. */
export async function checkFreeSpace(folder: string): Promise<void> {
  const free = await freeBytesOf(folder);
  if (free === undefined || free >= MIN_FREE_BYTES) return;
  throw Object.assign(new Error(`No disk space left in ${folder}.`), { code: 'ENOSPC' });
}
