/** `npm run learn:addressed -- FILE.jsonl [VERDICTS.jsonl]`: learns the weights of the judge and writes them into their table. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURE_NAMES } from '../src/engines/addressed/weights.ts';
import { readThreads } from './addressed/labeled-threads.ts';
import { learnWeights, makeExample } from './addressed/learn-weights.ts';

const [path, verdicts] = process.argv.slice(2);
if (!path) throw new Error('Usage: npm run learn:addressed -- FILE.jsonl [VERDICTS.jsonl]');
const table = join(import.meta.dirname, '../src/engines/addressed/weights.ts');
const learned = learnWeights(readThreads(path, verdicts).map(makeExample));
let source = readFileSync(table, 'utf8');
for (const name of FEATURE_NAMES) {
  const row = new RegExp(`(\\b${name}: \\{\\s*weight: )[-\\d.]+`);
  source = source.replace(row, (_row, start: string) => start + round(learned.of[name]));
}
source = source.replace(/(BIAS = )[-\d.]+/, (_row, start: string) => start + round(learned.bias));
writeFileSync(table, source);

function round(weight: number): string {
  return String(Number(weight.toFixed(2)) || 0);
}
