/** Runs the steps, records the result of each, and continues after a failure. */

export interface Step {
  client: string;
  name: string;
  /** A short summary of the result, or the error. */
  seen: string;
  passed: boolean;
}

export class Steps {
  readonly all: Step[] = [];
  readonly #print: (line: string) => void;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** Runs a step; the summary that it returns is shown beside its name. */
  async try(client: string, name: string, attempt: () => Promise<string>): Promise<void> {
    let step: Step;
    try {
      step = { client, name, seen: await attempt(), passed: true };
    } catch (error) {
      step = { client, name, seen: error instanceof Error ? error.message : String(error), passed: false };
    }
    this.all.push(step);
    this.#print(`${step.passed ? 'pass' : 'FAIL'}  ${client}: ${name}`);
    if (!step.passed) this.#print(step.seen.replaceAll(/^/gm, '      '));
  }

  get passed(): boolean {
    return this.all.length > 0 && this.all.every((step) => step.passed);
  }

  table(): string {
    const rows = this.all.map(({ client, name, seen, passed }) => [
      passed ? 'pass' : 'FAIL',
      client,
      name,
      seen.trim().split('\n', 1)[0]!.slice(0, 100),
    ]);
    const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
    return rows
      .map((row) =>
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd(),
      )
      .join('\n');
  }
}

/** The first match of the pattern, or a failure that shows the text. */
export function expectMatch(text: string, pattern: RegExp): RegExpExecArray {
  const match = pattern.exec(text);
  if (!match) throw new Error(`no match for ${pattern} in:\n${text}`);
  return match;
}

export function expectNoMatch(text: string, pattern: RegExp): void {
  if (pattern.test(text)) throw new Error(`unexpected match for ${pattern} in:\n${text}`);
}
