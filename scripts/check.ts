/** Format, lint and types, checked at the same time; fails if any of them does. */
import { spawn } from 'node:child_process';

/** Kept between checks, so that only files that a change can affect are read again. */
const KNOWN_TYPES = 'node_modules/.cache/types';
const CHECKS = [
  ['biome', 'check', '.'],
  ['tsc', '--pretty', '--incremental', '--tsBuildInfoFile', `${KNOWN_TYPES}/service.json`],
  ['tsc', '-p', 'web', '--pretty', '--incremental', '--tsBuildInfoFile', `${KNOWN_TYPES}/web.json`],
] as const;

/** Prints the output in one piece, because the checks run at the same time. */
function run([program, ...words]: readonly [string, ...string[]]): Promise<boolean> {
  const child = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      process.stdout.write(code === 0 ? said : `${program} ${words.join(' ')} failed:\n${said}`);
      resolve(code === 0);
    });
  });
}

const passed = await Promise.all(CHECKS.map(run));
if (passed.includes(false)) process.exitCode = 1;
