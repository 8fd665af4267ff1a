/** Turns failed writes to the data folder into messages for the operator, and reports its free space. */
import { statfsSync } from 'node:fs';
import { errorCode, StartFailure } from '../../core/errors/start-failure.ts';

const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ELOOP', 'ENAMETOOLONG'];

/** Turns a file system error in the data folder into a message for the operator; other errors are returned unchanged. */
export function folderFailure(error: unknown, dir: string): unknown {
  const path = (error as { path?: unknown }).path;
  // A failed write to an open file has no path; outside the data folder we only write where free space was checked.
  const isOurs =
    typeof path !== 'string' || `${path}/`.startsWith(`${dir}/`) || `${dir}/`.startsWith(`${path}/`);
  if (!isOurs) return error;
  const code = errorCode(error) ?? '';
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return noRoom(dir, `The operating system reports ${code}.`, error);
  return NOT_WRITABLE.includes(code) ? unwritable(dir, code, error) : error;
}

export function noRoom(dir: string, detail: string, cause?: unknown): StartFailure {
  return new StartFailure(
    'disk_full',
    `There is not enough disk space for the data folder ${dir}. ${detail} Free some space, or set DATA_DIR to a folder on a larger disk.`,
    cause,
  );
}

/** The bytes that this user can still write in `dir`; undefined if the file system doesn't report it. */
export function freeBytes(dir: string): number | undefined {
  const { blocks, bavail, bsize } = statfsSync(dir);
  return blocks === 0 ? undefined : bavail * bsize;
}

export function unwritable(dir: string, reason: string, cause: unknown): StartFailure {
  return new StartFailure(
    'data_folder_unwritable',
    `The data folder ${dir} cannot be used (${reason}). Give this user write access to it, or set DATA_DIR to a writable folder.`,
    cause,
  );
}
