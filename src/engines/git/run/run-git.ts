/**
 * The only place that starts git: argument lists without a shell, a fixed environment, and limits on time and output. The whole
 * process group is killed at the end, because git starts other programs (git-remote-https, ssh, index-pack).
 */
import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  type SpawnOptions,
  spawn,
} from 'node:child_process';
import { inSpan } from '../../../platform/core/telemetry/tracing.ts';
import { gitEnvironment, leadingArguments } from './git-environment.ts';
import { cleanStderr, GitFailure, type GitFailureReason } from './git-failure.ts';

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_MOST_OUTPUT_BYTES = 64 * 1024 * 1024;
const KEPT_STDERR_BYTES = 16 * 1024;
/** How long git has to clean up before it is killed. */
const TERMINATION_MS = 2000;

export interface RunGitOptions {
  gitDir?: string;
  cwd?: string;
  input?: string | Buffer;
  signal?: AbortSignal;
  timeoutMs?: number;
  maxOutputBytes?: number;
  onStderr?(chunk: Buffer): void;
  extraEnvironment?: Record<string, string>;
  configuration?: Record<string, string>;
  /** Secrets to remove from failure details. */
  secrets?: string[];
  /** Kills git however this process ends: otherwise a git that waits for a server would survive `kill -9`. */
  endWithService?: boolean;
}

/** Runs git to completion. The subcommand comes first; user input must follow `--end-of-options` or `--`. */
export function runGit(args: string[], options: RunGitOptions = {}): Promise<{ stdout: Buffer }> {
  return inSpan(`git ${args[0]}`, 'internal', {}, () => runToCompletion(args, options));
}

async function runToCompletion(args: string[], options: RunGitOptions): Promise<{ stdout: Buffer }> {
  const { signal, timeoutMs = DEFAULT_TIMEOUT_MS, secrets } = options;
  const maxOutputBytes = options.maxOutputBytes ?? DEFAULT_MOST_OUTPUT_BYTES;
  const command = args[0] ?? '';
  if (signal?.aborted) throw new GitFailure(command, 'aborted', null, '');
  const child = spawnGit(args, options);
  const stdout: Buffer[] = [];
  let stdoutBytes = 0;
  let stderr = Buffer.alloc(0);
  let stopped: GitFailureReason | undefined;
  let killTimer: NodeJS.Timeout | undefined;

  const stop = (reason: GitFailureReason) => {
    if (stopped) return;
    stopped = reason;
    signalGroup(child, 'SIGTERM');
    killTimer = setTimeout(() => {
      signalGroup(child, 'SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
    }, TERMINATION_MS);
  };
  const onAbort = () => stop('aborted');
  signal?.addEventListener('abort', onAbort);
  const timer = setTimeout(stop, timeoutMs, 'timeout');

  child.stdout.on('data', (chunk: Buffer) => {
    stdoutBytes += chunk.length;
    if (stdoutBytes > maxOutputBytes) stop('too_much_output');
    else stdout.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-KEPT_STDERR_BYTES);
    options.onStderr?.(chunk);
  });
  child.stdin.end(options.input);

  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  try {
    const exitCode = await promise;
    if (stopped === undefined && exitCode === 0) return { stdout: Buffer.concat(stdout, stdoutBytes) };
    throw new GitFailure(command, stopped ?? 'exit', exitCode, cleanStderr(stderr.toString('utf8'), secrets));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new GitFailure(command, 'not_installed', null, '');
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    clearTimeout(timer);
    clearTimeout(killTimer);
  }
}

/** Starts a long-lived git with pipes. It ends when the signal is aborted or this process ends. */
export function startGit(
  args: string[],
  {
    gitDir,
    signal,
    ...options
  }: Pick<RunGitOptions, 'configuration' | 'extraEnvironment' | 'signal'> & { gitDir: string },
): ChildProcessWithoutNullStreams {
  signal?.throwIfAborted();
  const child = spawnGit(args, { gitDir, ...options });
  const onAbort = () => signalGroup(child, 'SIGKILL');
  signal?.addEventListener('abort', onAbort);
  child.once('close', () => signal?.removeEventListener('abort', onAbort));
  return child;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL');
});

/**
 * A shell command that becomes the program of its arguments, and leaves a process in its group that kills the group when
 * descriptor 3 is closed: nobody writes to it, and the kernel closes our end with this process. The arguments stay unchanged.
 */
export const END_WITH_STARTER = '(read -r _ <&3; kill -KILL -$$) >/dev/null 2>&1 & exec 3<&-; exec "$@"';

function spawnGit(args: string[], options: RunGitOptions): ChildProcessWithoutNullStreams {
  const { gitDir, cwd = '/', configuration, extraEnvironment, endWithService = false } = options;
  const gitArguments = [...leadingArguments(gitDir, configuration), ...args];
  const settings: SpawnOptions = {
    cwd,
    env: gitEnvironment(extraEnvironment),
    // Its own process group, killed as a whole.
    detached: true,
  };
  const child = (
    endWithService
      ? spawn('/bin/sh', ['-c', END_WITH_STARTER, 'sh', 'git', ...gitArguments], {
          ...settings,
          stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
        })
      : spawn('git', gitArguments, { ...settings, stdio: 'pipe' })
  ) as ChildProcessWithoutNullStreams;
  const watched = child.stdio[3];
  watched?.on('error', () => {});
  child.once('exit', () => watched?.destroy());
  // When git exits before reading all input, the exit code decides whether that is a failure.
  child.stdin.on('error', () => {});
  running.add(child);
  child.once('exit', (exitCode) => {
    running.delete(child);
    if (exitCode !== 0) signalGroup(child, 'SIGKILL');
  });
  child.once('error', () => running.delete(child));
  return child;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has already exited.
  }
}
