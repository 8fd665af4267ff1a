/** Ends PostgreSQL processes that a killed service left behind; the caller holds the data folder's lock, so nothing else uses them. */
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, StartFailure } from '../../core/errors/start-failure.ts';
import type { Log } from '../../core/telemetry/log.ts';
import { programFile, runProgram } from './postgres-programs.ts';

const POLL_MS = 15;
/** The signals to send, and how long to wait after each: fast shutdown, immediate shutdown, kill. */
const STEPS = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 8_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

/** Stops every PostgreSQL process of the cluster in `folder`, with an orderly shutdown first. */
export async function stopOrphans(folder: string, packageFolder: string, log: Log): Promise<void> {
  if (!statSync(folder, { throwIfNoEntry: false })) return;
  if (process.platform === 'win32') return stopOrphanOnWindows(folder, packageFolder);
  if ((await processesIn(folder)).length === 0) return removeReusedNumber(folder, log);
  log.warn({ folder }, 'stopping PostgreSQL processes left over from an earlier run');
  for (const { signal, waitMs } of STEPS) {
    const deadline = performance.now() + waitMs;
    const running = await processesIn(folder);
    const first = readPostmasterPid(folder);
    if (signal === 'SIGINT') {
      // The postmaster stops the others in order. Without it, none may be asked to shut down: SIGINT makes the
      // checkpointer record a clean shutdown.
      if (first === undefined || !running.includes(first)) continue;
      send(first, signal);
    } else {
      for (const pid of running) send(pid, signal);
    }
    while (performance.now() < deadline) {
      if ((await processesIn(folder)).length === 0) return removeReusedNumber(folder, log);
      await delay(POLL_MS);
    }
  }
  throw new StartFailure(
    'postgres_not_starting',
    `A PostgreSQL of an earlier start (process ${(await processesIn(folder)).join(', ')}) does not stop. Kill it manually, or restart the machine.`,
  );
}

/**
 * The running PostgreSQL processes of this cluster. A process ID alone proves nothing, because IDs are reused. Each
 * process has the cluster as its current folder, even if its command line doesn't contain the folder; zombies have none.
 */
async function processesIn(folder: string): Promise<number[]> {
  if (process.platform !== 'linux') return processesNaming(folder);
  const wanted = statSync(folder);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const program = basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ''));
        if (program !== 'postgres' && program !== 'initdb') return false;
        const current = statSync(`/proc/${pid}/cwd`);
        return current.ino === wanted.ino && current.dev === wanted.dev;
      } catch {
        return false; // It has exited, or belongs to another user and so isn't ours.
      }
    });
}

/** Where there is no /proc, the folder is on the command line that we started. */
async function processesNaming(folder: string): Promise<number[]> {
  const { output } = await runProgram('/bin/ps', ['-axww', '-o', 'pid=,command='], {
    account: undefined,
    cwd: '/',
  });
  return output
    .split('\n')
    .filter((line) => /\b(postgres|initdb)\b/.test(line) && `${line} `.includes(` -D ${folder} `))
    .map((line) => Number.parseInt(line, 10));
}

/** On Windows, `pg_ctl` signals through a pipe that only PostgreSQL has, so a reused process ID does no harm. */
async function stopOrphanOnWindows(folder: string, packageFolder: string): Promise<void> {
  if (readPostmasterPid(folder) === undefined) return;
  const args = ['stop', '-D', folder, '-m', 'fast', '-w', '-t', '20'];
  await runProgram(programFile(packageFolder, 'pg_ctl'), args, { account: undefined, cwd: folder });
}

/**
 * PostgreSQL refuses to start while the ID in postmaster.pid belongs to any running process, which is common after the
 * restart of a container. We know that it isn't a process of this cluster, so the file is removed; in other cases
 * PostgreSQL decides.
 */
function removeReusedNumber(folder: string, log: Log): void {
  const pid = readPostmasterPid(folder);
  if (pid === undefined || !send(pid, 0)) return;
  log.info({ pid }, 'The process ID of an earlier PostgreSQL now belongs to another program');
  rmSync(join(folder, 'postmaster.pid'), { force: true });
}

function readPostmasterPid(folder: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** False if there is no such process, or we may not signal it. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) === 'ESRCH' || errorCode(error) === 'EPERM') return false;
    throw error;
  }
}
