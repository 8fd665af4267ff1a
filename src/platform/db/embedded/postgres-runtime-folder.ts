/** A short-lived folder per start, outside the data folder: the socket of PostgreSQL and, where needed, its programs. */
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Log } from '../../core/log.ts';
import { errorCode, StartFailure } from '../../core/start-failure.ts';
import { folderFailure } from './data-folder-failure.ts';
import { giveTo } from './postgres-account.ts';
import { type Account, completeLinks, copyPrograms, programFile, runProgram } from './postgres-programs.ts';

export type RuntimeFolder = {
  /** Only we can change what is in here; the account passes through. */
  runtimeFolder: string;
  /** The account's own. */
  socketFolder: string;
  /** The package folder to start programs from: the installed one, or a copy in here. */
  packageFolder: string;
  remove(): void;
};

const NAME = 'countersign-';
/** The kernel's limit on the path of a socket, less the zero byte at its end. */
const SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;
/** The first that works is taken: a temporary folder may be too long, closed to the account or without execution. */
const PLACES = [tmpdir(), '/tmp', '/var/tmp', '/run', '/var/lib'];

const noteFile = (dir: string) => join(dir, 'runtime-folder');

/** Removes the folder of an earlier start that was killed. Only what is ours: another user may have made the same name. */
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
  places?: string[];
}): Promise<RuntimeFolder> {
  const { dir, packageFolder, account, log } = options;
  const installed = completeLinks(packageFolder)
    ? await tryPrograms(packageFolder, account)
    : { ok: false, output: 'library links are missing and cannot be made' };
  if (!installed.ok) {
    log.debug(
      { reason: installed.output },
      'Copying the PostgreSQL programs, which cannot be started in place',
    );
  }
  const reasons: string[] = installed.ok ? [] : [`in ${packageFolder}: ${installed.output}`];
  for (const place of new Set(options.places ?? PLACES)) {
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
    `The programs of PostgreSQL cannot be started (${reasons.join('; ')}). Make one of these places usable, or set DATABASE_URL to a PostgreSQL of your own.`,
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

/** A real start as the account tells what no look at file modes can: folders, execution, missing libraries. */
const tryPrograms = (packageFolder: string, account: Account) =>
  runProgram(programFile(packageFolder, 'postgres'), ['--version'], {
    account,
    cwd: process.platform === 'win32' ? packageFolder : '/',
  });
