/** Colors code in a worker. */

import { ReusableWorker } from '../reusable-worker.ts';
import type { ColoredWord, ColorRequest } from './code-colors.ts';
import { languageNamed } from './languages.ts';

const TIMEOUT_MS = 4000;

const worker = new ReusableWorker<ColoredWord[]>(
  () => new Worker(new URL('./color-worker.ts', import.meta.url), { type: 'module' }),
  TIMEOUT_MS,
);

const NONE: ColoredWord[] = [];

/** Empty for an unknown language, and if it takes too long. */
export async function colorCode(code: string, language: string): Promise<ColoredWord[]> {
  const known = languageNamed(language);
  if (!known || code.trim() === '') return NONE;
  const question: ColorRequest = { code, language: known };
  return (await worker.ask(question)) ?? NONE;
}
