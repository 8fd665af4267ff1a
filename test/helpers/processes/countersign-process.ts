/** Runs the `countersign` command as an operator does: as a real process with its own environment. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { temporaryFolder } from './real-processes.ts';

export const CHECKOUT = resolve(import.meta.dirname, '../../..');
export const PASSWORD = 'correct horse battery staple';

/** The command of the program that was built for the tests; for scripts that use this module, the checkout's. */
export const COMMAND = join(process.env.TEST_PROGRAM ?? CHECKOUT, 'bin', 'countersign');

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface ProcessOptions {
  env?: Record<string, string | undefined>;
  /** Standard input; default: empty. */
  input?: string | Uint8Array;
  /** Keeps standard input open, as if someone were still typing. */
  keepInputOpen?: boolean;
  cwd?: string;
  /** In its own process group, like in a shell, so that a test can send Ctrl-C to the whole group. */
  ownGroup?: boolean;
  /** The Node.js that runs it; default: ours. */
  node?: string;
  /** The script; default: `COMMAND`. */
  bin?: string;
}

export interface Running {
  pid: number;
  child: ChildProcess;
  ended: Promise<Ended>;
  stdout(): string;
  stderr(): string;
  /** Waits until standard output or standard error matches; fails if the process ends first. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

const running = new Set<Running>();
const dataFolders = new Set<string>();

/** The settings of a command that is run in a folder: a free port, and its data below. */
export function settingsIn(cwd: string, settings: ProcessOptions['env']) {
  return { DATA_DIR: join(cwd, 'data'), PORT: '0', ...secretOf(settings), ...settings };
}

/** Nodes of one database share a secret, unless a test manages their data folders itself. */
function secretOf(settings: ProcessOptions['env']): { SECRET_FILE?: string } {
  const databaseUrl = settings?.DATABASE_URL;
  if (databaseUrl === undefined || settings?.DATA_DIR !== undefined) return {};
  const known = secrets.get(databaseUrl) ?? join(temporaryFolder(), 'secret.key');
  secrets.set(databaseUrl, known);
  return { SECRET_FILE: known };
}

const secrets = new Map<string, string>();

export function startCountersign(words: string[], options: ProcessOptions = {}): Running {
  const { bin = COMMAND, cwd = temporaryFolder(), node = process.execPath } = options;
  const { HOME, PATH, TMPDIR } = process.env;
  const env = { HOME, PATH, TMPDIR, ...settingsIn(cwd, options.env) };
  dataFolders.add(resolve(cwd, env.DATA_DIR!));
  const child = spawn(node, [bin, ...words], {
    cwd,
    env,
    stdio: 'pipe',
    detached: options.ownGroup ?? false,
  });
  let [stdout, stderr] = ['', ''];
  const watchers = new Set<() => void>();
  const read = (stream: NodeJS.ReadableStream, add: (text: string) => void) =>
    stream.setEncoding('utf8').on('data', (text: string) => {
      add(text);
      for (const watcher of watchers) watcher();
    });
  read(child.stdout, (text) => {
    stdout += text;
  });
  read(child.stderr, (text) => {
    stderr += text;
  });
  child.stdin.on('error', () => undefined);
  if (!options.keepInputOpen) child.stdin.end(options.input ?? '');
  const ended = new Promise<Ended>((settle, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => settle({ code, signal, stdout, stderr }));
  });
  const self: Running = {
    pid: child.pid!,
    child,
    ended,
    stdout: () => stdout,
    stderr: () => stderr,
    until: (pattern) =>
      new Promise((found, reject) => {
        const look = () => {
          const match = pattern.exec(stdout) ?? pattern.exec(stderr);
          if (!match) return;
          watchers.delete(look);
          found(match);
        };
        watchers.add(look);
        look();
        void ended.then(() => reject(new Error(`It ended without ${pattern}:\n${stdout}\n${stderr}`)));
      }),
  };
  running.add(self);
  void ended.then(() => running.delete(self));
  return self;
}

export function runCountersign(words: string[], options: ProcessOptions = {}): Promise<Ended> {
  return startCountersign(words, options).ended;
}

export interface Service extends Running {
  url: string;
  /** Stops it with SIGTERM. */
  stop(): Promise<Ended>;
  /** Kills it with SIGKILL and waits until it has exited. */
  kill(): Promise<void>;
}

/** `countersign serve` on a free port, once it is ready. */
export async function startService(options: ProcessOptions = {}): Promise<Service> {
  const service = startCountersign(['serve'], options);
  const [, url] = await service.until(/Countersign is ready at (\S+)/);
  return {
    ...service,
    url: url!,
    stop: () => {
      service.child.kill('SIGTERM');
      return service.ended;
    },
    kill: async () => {
      service.child.kill('SIGKILL');
      await service.ended;
    },
  };
}

/** A Node.js on this machine that is too old to run the program, or undefined. */
export function findOldNode(): string | undefined {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  return [...folders, '/usr/local/bin', '/usr/bin']
    .map((folder) => join(folder, 'node'))
    .find((file) => {
      const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
      return Number(/^v(\d+)/.exec(stdout ?? '')?.[1] ?? 99) < 26;
    });
}

/** The pid of the PostgreSQL in a data folder, if there is one, dead or alive. */
export function postgresPid(dataFolder: string): number | undefined {
  const file = join(dataFolder, 'postgres', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n', 1)[0]) : undefined;
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}

/** Stops every process of this test file, and every PostgreSQL that a killed process left behind. */
export async function endProcesses(): Promise<void> {
  for (const { child, ended } of running) {
    child.kill('SIGKILL');
    await ended;
  }
  for (const folder of dataFolders) {
    const pid = postgresPid(folder);
    if (pid && isRunning(pid)) process.kill(pid, 'SIGQUIT');
    removeRuntimeFolder(folder);
  }
  dataFolders.clear();
}

/** The folder of the socket, which is outside the data folder and remains after a kill. */
function removeRuntimeFolder(dataFolder: string): void {
  const note = join(dataFolder, 'runtime-folder');
  if (existsSync(note)) rmSync(readFileSync(note, 'utf8').trim(), { recursive: true, force: true });
}
