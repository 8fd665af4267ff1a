/** How this command was started, so that the commands it suggests work in the same shell. */
import { realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Environment } from '../config.ts';

/** `countersign` if it is on PATH, `npx countersign` if npx started it, else the path of the program. */
export function howStarted({ PATH, npm_command }: Environment, program = process.argv[1] ?? ''): string {
  // npx puts the folder of the package on PATH, only for what it starts.
  if (npm_command === 'exec') return 'npx countersign';
  const started = realPath(program);
  const folders = (PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  if (started && folders.some((folder) => realPath(join(folder, 'countersign')) === started))
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
