/** A child process with its own environment, whose output can be waited for. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

export interface ProcessOptions {
  cwd: string;
  env: Record<string, string>;
}

const TIMEOUT_MS = 300_000;

export class Program {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<number | null>;
  #output = '';
  readonly #watchers = new Set<() => void>();

  constructor([command, ...args]: readonly string[], { cwd, env }: ProcessOptions) {
    this.child = spawn(command!, args, { cwd, env, stdio: 'pipe' });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        for (const watcher of this.#watchers) watcher();
      });
    }
    this.child.stdin.on('error', () => undefined);
    const late = setTimeout(() => this.child.kill('SIGKILL'), TIMEOUT_MS);
    this.ended = new Promise((settle, reject) => {
      this.child.on('error', reject);
      this.child.on('close', (code) => {
        clearTimeout(late);
        settle(code);
      });
    });
    this.ended.catch(() => undefined);
  }

  /** The output so far, without escape sequences. */
  get output(): string {
    return this.#output.replaceAll(ESCAPES, '');
  }

  /** Waits until the output matches; fails if the program exits first. */
  until(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((found, reject) => {
      const look = () => {
        const match = pattern.exec(this.output);
        if (!match) return;
        this.#watchers.delete(look);
        found(match);
      };
      this.#watchers.add(look);
      look();
      const tooEarly = () => reject(new Error(`exited without ${pattern}:\n${this.output}`));
      this.ended.then(tooEarly, reject);
    });
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended.catch(() => undefined);
  }
}

/** The command line that runs a command in a pseudoterminal, for programs that require one. */
export function inTerminal(args: readonly string[]): string[] {
  if (process.platform === 'darwin') return ['script', '-q', '/dev/null', ...args];
  const line = args.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  return ['script', '--quiet', '--return', '--command', line, '/dev/null'];
}

/** Escape sequences for colors, cursor movements and links. */
const ESCAPES = /\u001B(?:\[[0-9;?]*[A-Za-z]|\][^\u0007\u001B]*(?:\u0007|\u001B\\))/g;

/** Runs a program and returns its output; fails if its exit code is not 0. */
export async function run(args: readonly string[], processOptions: ProcessOptions): Promise<string> {
  const program = new Program(args, processOptions);
  program.child.stdin.end();
  const code = await program.ended;
  if (code !== 0) throw new Error(`exited with ${code}:\n${program.output}`);
  return program.output;
}
