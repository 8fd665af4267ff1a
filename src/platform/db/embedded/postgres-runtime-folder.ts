/** A temporary folder for each start, outside the data folder: the socket of PostgreSQL and, if needed, its programs. */
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { errorCode, StartFailure } from '../../core/errors/start-failure.ts';
import type { Log } from '../../core/telemetry/log.ts';
import { folderFailure } from './data-folder-failure.ts';
import { giveTo } from './postgres-account.ts';
import { type Account, completeLinks, copyPrograms, programFile, runProgram } from './postgres-programs.ts';

export type RuntimeFolder = {
  /** Only the current user can write here; the account can pass through. */
  runtimeFolder: string;
  /** Owned by the account. */
  socketFolder: string;
  /** The package folder to start programs from: the installed one, or a copy in this folder. */
  packageFolder: string;
  remove(): void;
};

const NAME = 'countersign-';
/** The kernel's limit for the path of a socket, without the terminating NUL. */
const SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;
/** The first that works is used: a path may be too long, inaccessible to the account, or mounted noexec. */
export const RUNTIME_PLACES: readonly string[] = [tmpdir(), '/tmp', '/var/tmp', '/run', '/var/lib'];

const noteFile = (dir: string) => join(dir, 'runtime-folder');

/** Removes the folder left by a start that was killed, if it is ours: another user may have created one with the same name. */
export function removeLeftover(dir: string, log: Log): void {
  let folder: string;
  try {
    folder = readFileSync(noteFile(dir), 'utf8').trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const found = basename(folder).startsWith(NAME) ? lstatSync(folder, { throwIfNoEntry: false }) : undefined;
  if (found?.isDirectory() && (!process.getuid || found.uid === process.getuid())) {
    log.debug({ folder }, 'Removing the runtime folder of an earlier start');
    rmSync(folder, { recursive: true, force: true });
  }
  rmSync(noteFile(dir), { force: true });
}

export async function makeRuntimeFolder(options: {
  dir: string;
  packageFolder: string;
  account: Account;
  log: Log;
  places?: readonly string[];
}): Promise<RuntimeFolder> {
  const { dir, packageFolder, account, log } = options;
  const installed = completeLinks(packageFolder)
    ? await tryPrograms(packageFolder, account)
    : { ok: false, output: 'library links are missing and cannot be made' };
  if (!installed.ok) {
    log.debug(
      { reason: installed.output },
      'Copying the PostgreSQL programs, because they cannot be started in place',
    );
  }
  const reasons: string[] = installed.ok ? [] : [`in ${packageFolder}: ${installed.output}`];
  for (const place of new Set(options.places ?? RUNTIME_PLACES)) {
    let folder: string | undefined;
    try {
      folder = mkdtempSync(join(place, NAME));
      writeNote(dir, folder);
      const socketFolder = await makeSocketFolder(folder, account);
      if (!installed.ok) await copyAndTry(packageFolder, folder, account);
      return {
        runtimeFolder: folder,
        socketFolder,
        packageFolder: installed.ok ? packageFolder : folder,
        remove: () => {
          rmSync(folder!, { recursive: true, force: true });
          rmSync(noteFile(dir), { force: true });
        },
      };
    } catch (error) {
      if (folder) rmSync(folder, { recursive: true, force: true });
      if (error instanceof StartFailure && error.kind !== 'postgres_not_starting') throw error;
      reasons.push(`in ${place}: ${(error as Error).message}`);
    }
  }
  rmSync(noteFile(dir), { force: true });
  throw new StartFailure(
    'postgres_not_starting',
    `The programs of PostgreSQL cannot be started (${reasons.join('; ')}). Fix one of these folders, or set DATABASE_URL to your own PostgreSQL server.`,
  );
}

function writeNote(dir: string, folder: string): void {
  try {
    writeFileSync(noteFile(dir), folder, { mode: 0o600 });
  } catch (error) {
    throw folderFailure(error, dir);
  }
}

async function makeSocketFolder(folder: string, account: Account): Promise<string> {
  const socketFolder = join(folder, 'socket');
  if (Buffer.byteLength(join(socketFolder, '.s.PGSQL.5432')) > SOCKET_PATH_BYTES) {
    throw new Error('the path is too long for a socket');
  }
  if (account) chmodSync(folder, 0o711);
  writeFileSync(join(folder, 'room-check'), Buffer.alloc(16 * 1024));
  rmSync(join(folder, 'room-check'));
  mkdirSync(socketFolder, { mode: 0o700 });
  giveTo(account, socketFolder);
  if (account) {
    const { ok } = await runProgram('/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', socketFolder], {
      account,
      cwd: '/',
    });
    if (!ok) throw new Error(`user ${account.uid} cannot enter it`);
  }
  return socketFolder;
}

async function copyAndTry(packageFolder: string, folder: string, account: Account): Promise<void> {
  copyPrograms(packageFolder, folder);
  const { ok, output } = await tryPrograms(folder, account);
  if (!ok) throw new Error(output);
}

/** Starting a program as the account finds problems that file modes don't show: folders, noexec, missing libraries. */
const tryPrograms = (packageFolder: string, account: Account) =>
  runProgram(programFile(packageFolder, 'postgres'), ['--version'], {
    account,
    cwd: process.platform === 'win32' ? packageFolder : '/',
  });
