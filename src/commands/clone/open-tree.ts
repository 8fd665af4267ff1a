/** The working tree that `countersign review` looks at. */
import { stat } from 'node:fs/promises';
import { NoWorkingTree, openWorkingTree } from '../../engines/review/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { type Call, textOption } from '../command.ts';
import { printable } from '../terminal/printable.ts';

/** The folder that was named, else the current one. */
export async function folderOfClone(call: Call): Promise<string> {
  const folder = textOption(call, 'folder') || process.cwd();
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory())
    throw new StartFailure('refused', `there is no folder ${printable(folder)}: name a clone with --folder`);
  return folder;
}

export async function openTree(call: Call, folder: string): ReturnType<typeof openWorkingTree> {
  const base = textOption(call, 'base') || undefined;
  return openWorkingTree({ folder, base, signal: call.stopped }).catch((error: unknown) => {
    if (error instanceof NoWorkingTree) throw new StartFailure('refused', error.message);
    throw error;
  });
}
