/** How this command was started, so that the commands it suggests work in the same shell. */
import { realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Environment } from '../../config.ts';

/**
 * `countersign` if it is on PATH, else the path of the program. Never `npx countersign`: in another folder, that runs whatever has
 * this name in the registry.
 */
export function howStarted({ PATH, npm_command }: Environment, program = process.argv[1] ?? ''): string {
  const started = realPath(program);
  const folders = (PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  // npx puts the folder of the package on PATH, only for what it starts.
  if (
    started &&
    npm_command !== 'exec' &&
    folders.some((folder) => realPath(join(folder, 'countersign')) === started)
  )
    return 'countersign';
  return /[^\w./+-]/.test(program) ? `'${program.replaceAll("'", "'\\''")}'` : program;
}

function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
