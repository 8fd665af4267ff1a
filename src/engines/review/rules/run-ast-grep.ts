/**
 * The only place that starts ast-grep: on a separate folder, with only our rules, and limits on time, memory and output. It ends
 * with this process, however that ends.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { END_WITH_STARTER } from '../../git/index.ts';

/** For one scan; those of one review share it. */
export const MAX_RULE_SECONDS = 30;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const MAX_ERROR_BYTES = 16 * 1024;
const MAX_MEMORY_KIB = 2 * 1024 * 1024;
/** ast-grep exits with 1 when a rule of severity `error` matched. */
const MATCHED = 1;
/** Nothing in the folder decides which of its files are read. */
const READ_EVERYTHING = ['hidden', 'dot', 'exclude', 'global', 'parent', 'vcs'].flatMap((each) => [
  '--no-ignore',
  each,
]);

const PACKAGES: Record<string, string> = {
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'linux-arm64': 'linux-arm64-gnu',
  'linux-x64': 'linux-x64-gnu',
  'win32-x64': 'win32-x64-msvc',
};

/** The program, if the optional package for this machine is installed. */
export function findAstGrep(): string | undefined {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  try {
    const found = createRequire(import.meta.url).resolve(`@ast-grep/cli-${name}/package.json`);
    return join(dirname(found), process.platform === 'win32' ? 'ast-grep.exe' : 'ast-grep');
  } catch {
    return undefined;
  }
}

/** Why ast-grep did not finish; `mistake` is its own message about the rules. */
export class AstGrepFailure extends Error {
  readonly mistake: string | undefined;

  constructor(message: string, mistake?: string) {
    super(message);
    this.name = 'AstGrepFailure';
    this.mistake = mistake;
  }
}

export interface RuleMatch {
  path: string;
  ruleId: string;
  /** With the matched parts of the code filled in. */
  message: string;
  note: string;
  /** From 1. */
  line: number;
  /** The rule's `fix` for a part of this line, for matches within one. */
  fix?: { matched: string; column: number; replacement: string };
}

/** Scans a folder with the rules that `config`, a file in it, names. */
export async function runAstGrep(place: {
  program: string;
  folder: string;
  config: string;
  signal: AbortSignal;
  maxSeconds?: number;
}): Promise<RuleMatch[]> {
  const { config, folder, maxSeconds = MAX_RULE_SECONDS, program, signal } = place;
  const args = ['scan', '--json=stream', '--threads', '1', '--config', config, ...READ_EVERYTHING, '.'];
  const output = await run([program, ...args], folder, { maxSeconds, signal });
  return output
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [matchOf(JSON.parse(line))]))
    .sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : one.line - other.line));
}

function matchOf(found: {
  file: string;
  ruleId: string;
  message: string;
  note: string | null;
  text: string;
  range: {
    byteOffset: { start: number; end: number };
    start: { line: number; column: number };
    end: { line: number };
  };
  replacement?: string;
  replacementOffsets?: { start: number; end: number };
}): RuleMatch {
  const { file, message, note, range, replacement, replacementOffsets, ruleId, text } = found;
  const { byteOffset, end, start } = range;
  // A rule can replace more than what it matches.
  const isAll = replacementOffsets?.start === byteOffset.start && replacementOffsets.end === byteOffset.end;
  return {
    ...{ path: file.replace(/^\.\//, ''), ruleId, message, note: note ?? '', line: start.line + 1 },
    ...(replacement !== undefined &&
      isAll &&
      start.line === end.line && { fix: { matched: text, column: start.column, replacement } }),
  };
}

async function run(
  command: string[],
  cwd: string,
  { maxSeconds, signal }: { maxSeconds: number; signal: AbortSignal },
): Promise<string> {
  signal.throwIfAborted();
  const tooSlow = `The rules took longer than ${Math.ceil(maxSeconds)} seconds.`;
  // The system ends it too: our timer is late while another check keeps this process busy.
  const time = `ulimit -S -t ${Math.ceil(maxSeconds)}; `;
  const limit = process.platform === 'linux' ? `ulimit -v ${MAX_MEMORY_KIB}; ${time}` : time;
  const limited =
    process.platform === 'win32'
      ? command
      : ['/bin/sh', '-c', `${limit}${END_WITH_STARTER}`, 'sh', ...command];
  const child = spawn(limited[0]!, limited.slice(1), {
    cwd,
    // No settings of a person; nothing to reach the network with.
    env: { HOME: cwd },
    // Its own process group, which ends with this process.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  const watched = child.stdio[3];
  watched?.on('error', () => {});
  child.once('exit', () => watched?.destroy());
  const chunks: Buffer[] = [];
  let [bytes, stderr] = [0, ''];
  let stopped: string | undefined;
  const stop = (reason: string) => {
    stopped ??= reason;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(stop, maxSeconds * 1000, tooSlow);
  const onAbort = () => stop('The review was cancelled.');
  signal.addEventListener('abort', onAbort);
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_OUTPUT_BYTES) stop('The rules match too many places.');
    else chunks.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(0, MAX_ERROR_BYTES);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', (code, endedBy) => {
    if (endedBy === 'SIGXCPU') stopped ??= tooSlow;
    resolve(code);
  });
  try {
    const code = await promise;
    signal.throwIfAborted();
    if (stopped !== undefined) throw new AstGrepFailure(stopped);
    if (code === 0 || code === MATCHED) return Buffer.concat(chunks).toString('utf8');
    const mistake = mistakeIn(stderr);
    throw new AstGrepFailure(
      mistake === undefined ? 'ast-grep stopped unexpectedly.' : `ast-grep refuses the rules: ${mistake}`,
      mistake,
    );
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** The innermost cause that it reports. Below that of a regular expression are the expression, where it is wrong, and why. */
function mistakeIn(stderr: string): string | undefined {
  const lines = stderr.split('\n');
  const at = lines.findLastIndex((line) => line.startsWith('╰▻'));
  if (at === -1) return undefined;
  const cause = lines[at]!.slice(2).trim();
  if (!cause.endsWith(':')) return cause;
  const end = lines.findIndex((line, index) => index > at && line.startsWith('error: '));
  if (end === -1) return cause.slice(0, -1);
  const why = lines[end]!.slice('error: '.length).trim();
  return end === at + 3
    ? `The regular expression \`${lines[at + 1]!.trim()}\` is invalid: ${why}.`
    : `${cause} ${why}.`;
}
