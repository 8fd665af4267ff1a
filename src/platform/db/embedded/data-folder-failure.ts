/** What failed writes to the data folder mean for the operator, and how much room it has. */
import { statfsSync } from 'node:fs';
import { errorCode, StartFailure } from '../../core/start-failure.ts';

const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ELOOP', 'ENAMETOOLONG'];

/** Turns a failed call on the data folder into a sentence for the operator; other errors come back unchanged. */
export function folderFailure(error: unknown, dir: string): unknown {
  const path = (error as { path?: unknown }).path;
  // A failed write to an open file names no path; outside the data folder we only write where room was checked.
  const isOurs =
    typeof path !== 'string' || `${path}/`.startsWith(`${dir}/`) || `${dir}/`.startsWith(`${path}/`);
  if (!isOurs) return error;
  const code = errorCode(error) ?? '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return noRoom(dir, `The system says ${code}.`, error);
  return NOT_WRITABLE.includes(code) ? unwritable(dir, code, error) : error;
}

export function noRoom(dir: string, detail: string, cause?: unknown): StartFailure {
  return new StartFailure(
    'disk_full',
    `There is not enough room for the data folder ${dir}. ${detail} Free some room, or set DATA_DIR to a folder on a larger disk.`,
    cause,
  );
}

/** Bytes that this user may still write below `dir`; undefined on file systems that do not say. */
export function freeBytes(dir: string): number | undefined {
  const { blocks, bavail, bsize } = statfsSync(dir);
  return blocks === 0 ? undefined : bavail * bsize;
}

export function unwritable(dir: string, reason: string, cause: unknown): StartFailure {
  return new StartFailure(
    'data_folder_unwritable',
    `The data folder ${dir} cannot be used (${reason}). Give this user write access to it, or set DATA_DIR to a folder that it can write.`,
    cause,
  );
}
