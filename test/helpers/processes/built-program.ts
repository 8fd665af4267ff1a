/** The program as a package contains it, for tests that start it as a process: it starts in half the time that the sources take. */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildProgram } from '../../../scripts/build-program.ts';

const CHECKOUT = join(import.meta.dirname, '../../..');
/** Below node_modules, so that it finds its packages. */
const FOLDER = join(CHECKOUT, 'node_modules', '.cache', 'program');

/** Builds it unless it is up to date, and returns its folder. */
export async function buildProgramForTests(): Promise<string> {
  const wanted = fingerprint();
  const file = join(FOLDER, 'fingerprint');
  if (existsSync(file) && readFileSync(file, 'utf8') === wanted) return FOLDER;
  const fresh = `${FOLDER}.${process.pid}`;
  mkdirSync(join(fresh, 'web'), { recursive: true });
  await buildProgram(join(fresh, 'dist'));
  cpSync(join(CHECKOUT, 'bin'), join(fresh, 'bin'), { recursive: true });
  cpSync(join(CHECKOUT, 'package.json'), join(fresh, 'package.json'));
  symlinkSync(join(CHECKOUT, 'integrations'), join(fresh, 'integrations'));
  symlinkSync(join(CHECKOUT, 'web', 'dist'), join(fresh, 'web', 'dist'));
  writeFileSync(join(fresh, 'fingerprint'), wanted);
  rmSync(FOLDER, { recursive: true, force: true });
  renameSync(fresh, FOLDER);
  return FOLDER;
}

function fingerprint(): string {
  const hash = createHash('sha256');
  const files = globSync(['bin/*', 'src/**/*.*', 'scripts/build-program.ts', 'package*.json'], {
    cwd: CHECKOUT,
    exclude: ['**/*.test.ts'],
  }).sort();
  for (const file of files) {
    const { mtimeMs, size } = statSync(join(CHECKOUT, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}
