/** Starts and kills a process of this program. */
import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { FromProcess } from './messages.ts';

/** How this program's own files end: those of a checkout are run as they are. */
export const SOURCE_EXTENSION = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';

const MAX_OUTPUT_CHARACTERS = 2000;

export interface ProcessEvents {
  onMessage(message: FromProcess): void;
  /** `output` is the end of what it wrote to stderr. */
  onEnd(ended: ChildProcess, reason: string, output: string): void;
}

/** Starts a process that does not keep the service running. `file` is what it runs. */
export function startProcess(
  file: URL,
  nodeOptions: string[] | undefined,
  { onEnd, onMessage }: ProcessEvents,
): ChildProcess {
  const started = fork(file, {
    env: environment(),
    ...(nodeOptions && { execArgv: nodeOptions }),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let output = '';
  started.stderr!.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-MAX_OUTPUT_CHARACTERS);
  });
  started.on('message', onMessage);
  started.on('error', (error) => onEnd(started, error.message, output));
  started.on('exit', (code, signal) => onEnd(started, `${signal ?? `exit code ${code}`}`, output));
  started.unref();
  started.channel?.unref();
  (started.stderr as unknown as { unref?(): void }).unref?.();
  return started;
}

export async function killProcess(ending: ChildProcess): Promise<void> {
  if (ending.exitCode !== null || ending.signalCode !== null) return;
  ending.ref();
  const exited = new Promise((resolve) => ending.once('exit', resolve));
  ending.kill('SIGKILL');
  await exited;
}

/**
 * It reads no settings: everything comes with the requests. Freed memory is returned immediately, because starting a
 * program takes longer the more memory a process holds; modules come from the service's compile cache.
 */
function environment(): Record<string, string> {
  const cache = getCompileCacheDir();
  return {
    TMPDIR: tmpdir(),
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '65536',
    MALLOC_TRIM_THRESHOLD_: '65536',
    ...(cache && { NODE_COMPILE_CACHE: dirname(cache) }),
  };
}
