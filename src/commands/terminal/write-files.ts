/** Writes exported files into a folder, which is created if it doesn't exist. */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { printable } from './printable.ts';

export async function writeFiles(folder: string, files: { name: string; text: string }[]): Promise<void> {
  try {
    await makeFolder(folder);
    for (const { name, text } of files) await writeFile(join(folder, name), text);
  } catch (error) {
    const { message } = error as Error;
    throw new StartFailure(
      'refused',
      `nothing can be written to ${printable(folder)}: ${printable(message)}. Name another folder`,
      error,
    );
  }
}

/** Not with `recursive`: that never ends where nothing can be created, such as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return;
  if (dirname(folder) !== folder) await makeFolder(dirname(folder));
  await mkdir(folder);
}
