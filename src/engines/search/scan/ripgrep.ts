/** The only place that starts ripgrep: reports the matching lines of a file or of its standard input. */
import { type ChildProcess, spawn } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import { lowerPriority } from '../../../platform/core/work/lower-priority.ts';

/**
 * The texts contain no NUL and no byte order mark, so ripgrep must not guess encodings. A limit of one column omits the
 * text of each line: only the offsets of the line and of its match are needed.
 */
const OPTIONS = [
  '--no-config',
  '--color=never',
  '--text',
  '--encoding=none',
  '--no-filename',
  // A pattern beyond these limits is rejected or runs more slowly; without them, one search could use gigabytes of memory.
  '--regex-size-limit=30M',
  '--dfa-size-limit=30M',
  '--no-heading',
];
const PLACES = ['--byte-offset', '--column', '--no-line-number', '--max-columns=1'];
/** The program, which comes with the package. */
export const RIPGREP = rgPath;

const KEPT_ERROR_BYTES = 8192;
const PRIORITY = 10;

/** The reason that every pattern with a line break is rejected. */
export const LINE_BREAK_IN_PATTERN = "a match never spans lines, so the pattern can't contain a line break";

/** ripgrep rejected the pattern; the message is the reason, for users. */
export class BadPattern extends Error {}

export interface Ripgrep {
  /** Adds input; resolves when there is room for more. Ignored after the end. */
  write(bytes: Buffer): Promise<void> | void;
  end(): void;
  /** Stops it early, without an error. */
  stop(): void;
  /** Resolves when all output was read; rejects with `BadPattern`, or when aborted. */
  done: Promise<void>;
}

/** `take` receives, in order, the offset of each matching line and the offset of its first match. */
export function startRipgrep(
  pattern: string,
  source: { file: string } | { descriptor: number } | 'written',
  signal: AbortSignal,
  take: (lineStart: number, column: number) => void,
): Ripgrep {
  const isFile = typeof source === 'object' && 'file' in source;
  const args = [...OPTIONS, ...PLACES, `--regexp=${pattern}`, '--', isFile ? source.file : '-'];
  const descriptor = typeof source === 'object' && 'descriptor' in source ? source.descriptor : undefined;
  return run(args, signal, createPlaceParser(take), descriptor);
}

/** Finds all matches within matching lines. */
export async function findRanges(
  pattern: string,
  lines: Buffer[],
  signal: AbortSignal,
): Promise<{ start: number; end: number }[][]> {
  const chunks: Buffer[] = [];
  const args = [...OPTIONS, '--json', '--line-number', `--regexp=${pattern}`, '--', '-'];
  const ripgrep = run(args, signal, (chunk) => void chunks.push(chunk));
  for (const line of lines) await ripgrep.write(Buffer.concat([line, LINE_END]));
  ripgrep.end();
  await ripgrep.done;
  const ranges: { start: number; end: number }[][] = lines.map(() => []);
  for (const text of Buffer.concat(chunks).toString().split('\n')) {
    if (!text.startsWith('{"type":"match"')) continue;
    const { data } = JSON.parse(text) as {
      data: { line_number: number; submatches: { start: number; end: number }[] };
    };
    ranges[data.line_number - 1] = data.submatches.map(({ start, end }) => ({ start, end }));
  }
  return ranges;
}

const LINE_END = Buffer.from('\n');

function run(
  args: string[],
  signal: AbortSignal,
  take: (chunk: Buffer) => void,
  descriptor?: number,
): Ripgrep {
  signal.throwIfAborted();
  const child: ChildProcess = spawn(rgPath, args, { env: {}, stdio: [descriptor ?? 'pipe', 'pipe', 'pipe'] });
  if (child.pid !== undefined) lowerPriority(PRIORITY, child.pid);
  const { stdin } = child;
  let error = '';
  let stopped = false;
  const stop = () => {
    stopped = true;
    child.kill('SIGKILL');
  };
  const done = new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      child.kill('SIGKILL');
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    child.on('error', reject);
    child.on('close', (code) => {
      signal.removeEventListener('abort', onAbort);
      // 0: matches; 1: no matches.
      if (stopped || code === 0 || code === 1) resolve();
      // An error about a file isn't about the pattern, whatever the file's name contains.
      else if (/regex|literal|pattern|parse/i.test(error.replaceAll(args.at(-1)!, '')))
        reject(new BadPattern(explain(error)));
      else reject(new Error(`ripgrep exited with code ${code}: ${error.trim()}`));
    });
  });
  done.catch(() => undefined);
  stdin?.on('error', () => undefined);
  child.stderr!.on('data', (chunk: Buffer) => {
    error = (error + chunk.toString()).slice(0, KEPT_ERROR_BYTES);
  });
  child.stdout!.on('data', (chunk: Buffer) => {
    if (!stopped) take(chunk);
  });
  return {
    write(bytes) {
      if (!stdin?.writable || stdin.write(bytes)) return;
      return new Promise<void>((resolve) => {
        const go = () => {
          stdin.off('drain', go);
          stdin.off('close', go);
          resolve();
        };
        stdin.on('drain', go);
        stdin.on('close', go);
      });
    },
    end: () => void stdin?.end(),
    stop,
    done,
  };
}

/** Parses lines such as `5:120:[Omitted long line with 1 matches]`: the column, starting at 1, and the line's offset. */
function createPlaceParser(take: (lineStart: number, column: number) => void): (chunk: Buffer) => void {
  const [LINE_FEED, COLON] = [10, 58];
  let [field, column, place] = [0, 0, 0];
  return (chunk) => {
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (field === 2) {
        const end = chunk.indexOf(LINE_FEED, at);
        if (end === -1) return;
        at = end;
        take(place, column - 1);
        [field, column, place] = [0, 0, 0];
      } else if (byte === COLON) field += 1;
      else if (field === 0) column = column * 10 + byte - 48;
      else place = place * 10 + byte - 48;
    }
  };
}

/** The reason from ripgrep's error message, without advice about its command line. */
function explain(error: string): string {
  const text = error
    .replace(/^rg: /, '')
    .replace(/\n*Consider enabling multiline mode[\s\S]*/, '')
    .trim();
  if (/the literal .* is not allowed/.test(text)) return LINE_BREAK_IN_PATTERN;
  return /error: ([\s\S]*)$/.exec(text)?.[1] ?? text;
}
