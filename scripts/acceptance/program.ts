/** A program that is run as a person would run it in a terminal: with settings of its own, its output read as it comes. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

export interface Surroundings {
  cwd: string;
  env: Record<string, string>;
}

const PATIENCE_MS = 300_000;

export class Program {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<number | null>;
  #output = '';
  readonly #watchers = new Set<() => void>();

  constructor([command, ...words]: readonly string[], { cwd, env }: Surroundings) {
    this.child = spawn(command!, words, { cwd, env, stdio: 'pipe' });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        for (const watcher of this.#watchers) watcher();
      });
    }
    this.child.stdin.on('error', () => undefined);
    const late = setTimeout(() => this.child.kill('SIGKILL'), PATIENCE_MS);
    this.ended = new Promise((settle, reject) => {
      this.child.on('error', reject);
      this.child.on('close', (code) => {
        clearTimeout(late);
        settle(code);
      });
    });
    this.ended.catch(() => undefined);
  }

  /** What it printed so far, without colors. */
  get output(): string {
    return this.#output.replaceAll(ESCAPES, '');
  }

  /** Waits until the output holds it; fails when the program ends before. */
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
      const tooEarly = () => reject(new Error(`it ended without ${pattern}:\n${this.output}`));
      this.ended.then(tooEarly, reject);
    });
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended.catch(() => undefined);
  }
}

/** The words that run a command in a terminal of its own, for programs that ask for one. */
export function inTerminal(words: readonly string[]): string[] {
  if (process.platform === 'darwin') return ['script', '-q', '/dev/null', ...words];
  const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  return ['script', '--quiet', '--return', '--command', line, '/dev/null'];
}

/** Colors, cursor movements and links of a terminal. */
const ESCAPES = /\u001B(?:\[[0-9;?]*[A-Za-z]|\][^\u0007\u001B]*(?:\u0007|\u001B\\))/g;

/** Runs it to its end; what it printed. Fails when it does not end well. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<string> {
  const program = new Program(words, surroundings);
  program.child.stdin.end();
  const code = await program.ended;
  if (code !== 0) throw new Error(`it ended with ${code}:\n${program.output}`);
  return program.output;
}
