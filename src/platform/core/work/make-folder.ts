/** Creates a folder that only this user can read, and those above it. */
import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../errors/start-failure.ts';

/** Level by level: Node's recursive `mkdir` never returns where the system accepts no folders at all, such as below `/proc`. */
export async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) await makeFolder(dirname(folder));
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}
