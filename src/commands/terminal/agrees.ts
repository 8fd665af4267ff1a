/** Asks on the terminal. */
import { createInterface } from 'node:readline/promises';

export async function agrees(question: string, stopped: AbortSignal): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `, { signal: stopped })).trim());
  } finally {
    asking.close();
  }
}
