/** Ends what a killed service left running on a cluster; the caller holds the data folder's lock, so nobody uses it. */
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../core/log.ts';
import { errorCode, StartFailure } from '../../core/start-failure.ts';
import { programFile, runProgram } from './postgres-programs.ts';

const POLL_MS = 15;
/** What is sent, and how long its effect is waited for: fast shutdown, immediate shutdown, the end. */
const STEPS = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 8_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

/** Stops every PostgreSQL process that works in `folder`, politely first. */
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
      // The first process stops the others in order. Without it none may be asked to shut down: SIGINT makes the
      // checkpointer write that all is well.
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
    `A PostgreSQL of an earlier start (process ${(await processesIn(folder)).join(', ')}) does not stop. End it by hand, or restart the machine.`,
  );
}

/**
 * The running PostgreSQL processes of this very cluster. A process number alone proves nothing, because the system
 * uses numbers again. Each such process has the cluster as its current folder, which also holds when its command line
 * does not name the folder, and dead processes that nobody has waited for have none.
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
        return false; // Gone in the meantime, or of another user and so not ours.
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

/** On Windows `pg_ctl` signals through a pipe that only a PostgreSQL has, so a number used again does no harm. */
async function stopOrphanOnWindows(folder: string, packageFolder: string): Promise<void> {
  if (readPostmasterPid(folder) === undefined) return;
  const args = ['stop', '-D', folder, '-m', 'fast', '-w', '-t', '20'];
  await runProgram(programFile(packageFolder, 'pg_ctl'), args, { account: undefined, cwd: folder });
}

/**
 * PostgreSQL refuses to start while the number in postmaster.pid belongs to any living process, which after a restart
 * of a container is often so. We know that it is none of this cluster's, so the file goes; in other cases PostgreSQL
 * itself decides about it.
 */
function removeReusedNumber(folder: string, log: Log): void {
  const pid = readPostmasterPid(folder);
  if (pid === undefined || !send(pid, 0)) return;
  log.info({ pid }, 'The process number of an earlier PostgreSQL belongs to another program now');
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

/** False when there is no such process, or none that we may signal. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) === 'ESRCH' || errorCode(error) === 'EPERM') return false;
    throw error;
  }
}
