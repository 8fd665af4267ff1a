/** The server process of the embedded PostgreSQL: its settings, its log file, and how it is stopped. */
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { folderArgument } from './postgres-cluster.ts';
import { type Account, programFile, runProgram, spawnAs } from './postgres-programs.ts';

export type PostgresExit = {
  expected: boolean;
  code: number | null;
  signal: string | null;
  lastLines: string;
};

export type PostgresServer = {
  pid: number | undefined;
  exited: Promise<PostgresExit>;
  hasExited(): boolean;
  /** The last lines that the server has logged since this start. */
  lastLines(): string;
  stop(): Promise<void>;
};

const ON_WINDOWS = process.platform === 'win32';
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const LAST_LINES_BYTES = 4096;
/** The signals to send, and how long to wait after each: fast shutdown, immediate shutdown, kill. */
const STOP_STEPS = [
  { signal: 'INT', waitMs: 20_000 },
  { signal: 'QUIT', waitMs: 8_000 },
  { signal: 'KILL', waitMs: 8_000 },
] as const;

const DEFAULT_SETTINGS = {
  max_connections: '100',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Statements and the values in error details are user data and must not be logged.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

export function startServer(options: {
  dir: string;
  clusterFolder: string;
  packageFolder: string;
  account: Account;
  /** The folder of the socket; on Windows an address. */
  host: string;
  port: number;
  settings: Record<string, string>;
}): PostgresServer {
  const { packageFolder, clusterFolder, account, host } = options;
  const place: Record<string, string> = ON_WINDOWS
    ? { listen_addresses: host }
    : { listen_addresses: '', unix_socket_directories: host, unix_socket_permissions: '0700' };
  const settings = { ...DEFAULT_SETTINGS, ...options.settings, ...place, port: String(options.port) };
  const args = ['-D', folderArgument(clusterFolder)];
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);

  const logFile = rotateLog(options.dir);
  const output = openSync(logFile, 'a', 0o600);
  const logStart = statSync(logFile).size;
  let child: ChildProcess;
  try {
    // Its own process group, because Ctrl-C in a terminal goes to a whole group and must not race our own shutdown.
    child = spawnAs(programFile(packageFolder, 'postgres'), args, {
      account,
      cwd: clusterFolder,
      stdio: ['ignore', output, output],
      detached: true,
    });
  } finally {
    closeSync(output);
  }

  let ended = false;
  let stopping: Promise<void> | undefined;
  const lastLines = () => readEnd(logFile, logStart);
  const exited = new Promise<PostgresExit>((settle) => {
    const end = (code: number | null, signal: string | null, lines: string) => {
      ended = true;
      settle({ expected: stopping !== undefined, code, signal, lastLines: lines });
    };
    child.on('error', (error) => end(null, null, error.message));
    child.on('exit', (code, signal) => end(code, signal, lastLines()));
  });
  const stopInSteps = async () => {
    for (const { signal, waitMs } of STOP_STEPS) {
      if (ended) return;
      if (ON_WINDOWS && signal !== 'KILL') await signalOnWindows(child, signal, packageFolder);
      else child.kill(`SIG${signal}`);
      const waiting = new AbortController();
      await Promise.race([exited, delay(waitMs, undefined, { signal: waiting.signal }).catch(() => {})]);
      waiting.abort();
    }
  };
  const stop = () => {
    stopping ??= stopInSteps();
    return stopping;
  };
  return { pid: child.pid, exited, hasExited: () => ended, lastLines, stop };
}

/** Windows has no signals; `pg_ctl` sends PostgreSQL's own through a pipe. */
async function signalOnWindows(child: ChildProcess, signal: string, packageFolder: string): Promise<void> {
  const args = ['kill', signal, String(child.pid)];
  await runProgram(programFile(packageFolder, 'pg_ctl'), args, { account: undefined, cwd: packageFolder });
}

function rotateLog(dir: string): string {
  const file = join(dir, 'postgres.log');
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
  return file;
}

/** Returns nothing if the log is gone with its folder, so that the original failure is still reported. */
function readEnd(file: string, from: number): string {
  try {
    const handle = openSync(file, 'r');
    try {
      const size = statSync(file).size;
      const start = Math.max(from, size - LAST_LINES_BYTES);
      const bytes = Buffer.alloc(Math.max(0, size - start));
      readSync(handle, bytes, 0, bytes.length, start);
      return bytes.toString('utf8').trim();
    } finally {
      closeSync(handle);
    }
  } catch {
    return '';
  }
}
