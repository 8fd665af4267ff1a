/** Reads git's output while it is written, for as long as the reader wants it. */
import type { Readable } from 'node:stream';
import { cleanStderr, GitFailure } from './git-failure.ts';
import { type RunGitOptions, startGit } from './run-git.ts';

const KEPT_CHARACTERS = 4000;
const DEFAULT_TIMEOUT_MS = 60_000;
/** A larger one would make a timer fire immediately. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export interface ReadOptions {
  gitDir: string;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  configuration?: RunGitOptions['configuration'];
  extraEnvironment?: RunGitOptions['extraEnvironment'];
  /** Standard input. */
  input?: Readable | string;
}

/** The output in pieces. git is killed when the reader stops early. */
export async function* readOutput(args: string[], options: ReadOptions): AsyncGenerator<Buffer> {
  const { configuration, extraEnvironment, gitDir, signal } = options;
  const command = args[0]!;
  if (signal?.aborted) throw new GitFailure(command, 'aborted', null, '');
  const timeout = AbortSignal.timeout(Math.min(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS));
  const stop = new AbortController();
  const child = startGit(args, {
    gitDir,
    configuration,
    extraEnvironment,
    signal: AbortSignal.any([stop.signal, timeout, ...(signal ? [signal] : [])]),
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-KEPT_CHARACTERS);
  });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  closed.catch(() => undefined);
  if (typeof options.input === 'object') options.input.pipe(child.stdin);
  else child.stdin.end(options.input);
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    const exitCode = await closed;
    if (timeout.aborted) throw new GitFailure(command, 'timeout', exitCode, '');
    if (signal?.aborted) throw new GitFailure(command, 'aborted', exitCode, '');
    if (exitCode !== 0) throw new GitFailure(command, 'exit', exitCode, cleanStderr(said));
  } finally {
    stop.abort();
  }
}

/** The parts between separators, each cut to `maxBytes`; a last part without a separator counts too. */
export async function* splitOutput(
  output: AsyncIterable<Buffer>,
  separator: 0 | 10,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let kept = 0;
  let isOpen = false;
  const keep = (piece: Buffer) => {
    const room = maxBytes - kept;
    if (room <= 0 || piece.length === 0) return;
    parts.push(piece.length > room ? piece.subarray(0, room) : piece);
    kept += Math.min(room, piece.length);
  };
  const take = (): Buffer => {
    const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    parts = [];
    kept = 0;
    isOpen = false;
    return whole;
  };
  for await (const chunk of output) {
    let start = 0;
    for (let end = chunk.indexOf(separator); end !== -1; end = chunk.indexOf(separator, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      yield take();
    }
    if (start < chunk.length) {
      isOpen = true;
      keep(chunk.subarray(start));
    }
  }
  if (isOpen) yield take();
}
