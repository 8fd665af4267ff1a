/**
 * `npm run evaluate:addressed -- FILE.jsonl [VERDICTS.jsonl] [--cross-validate]`: how often the judge is right about threads with a known
 * outcome, beside simpler judges. With --cross-validate, each file is judged with weights learned from other files.
 */
import { type Judgment, judgeAddressed } from '../src/engines/addressed/index.ts';
import { ADDRESSED, LEARNED, MAYBE } from '../src/engines/addressed/weights.ts';
import { BASELINES } from './addressed/baselines.ts';
import { foldsByFile, type LabeledThread, readThreads } from './addressed/labeled-threads.ts';
import { learnWeights, makeExample } from './addressed/learn-weights.ts';
import { average, describeScore, precisionAt, type Score, score } from './addressed/scores.ts';

const FOLDS = 10;
const SEEDS = [1, 2, 3, 4, 5];

const [path, verdicts] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (!path)
  throw new Error('Usage: npm run evaluate:addressed -- FILE.jsonl [VERDICTS.jsonl] [--cross-validate]');
const threads = readThreads(path, verdicts);
const runs = process.argv.includes('--cross-validate')
  ? crossValidate(threads)
  : [threads.map((thread) => judgeAddressed(thread))];

print(`${threads.length} threads, ${threads.filter(({ label }) => label === 'addressed').length} addressed`);
print(`${''.padEnd(34)}   recall  false +  balanced`);
for (const [name, isFound] of BASELINES) print(describeScore(score(name, threads, threads.map(isFound))));
const shown = scoreFrom(`maybe or addressed (${MAYBE})`, MAYBE);
const flips = scoreFrom(`changes the status (${ADDRESSED.toFixed(2)})`, ADDRESSED);
print(describeScore(shown));
print(describeScore(flips));
for (const share of [0.1, 0.3, 0.5]) {
  const precision = precisionAt(share, flips).toFixed(2);
  print(
    `If ${share * 100} % of the threads were addressed, ${precision} of the changes of status would be right.`,
  );
}
const times = threads.map(measureTime).sort((left, right) => left - right);
const at = (share: number) => times[Math.floor((times.length - 1) * share)]!.toFixed(1);
print(`Time per thread: median ${at(0.5)} ms, 99 % within ${at(0.99)} ms, longest ${at(1)} ms.`);

function crossValidate(all: LabeledThread[]): Judgment[][] {
  const examples = all.map(makeExample);
  return SEEDS.map((seed) => {
    const folds = foldsByFile(all, FOLDS, seed);
    const weights = Array.from({ length: FOLDS }, (_, fold) =>
      learnWeights(examples.filter((_example, index) => folds[index] !== fold)),
    );
    return all.map((thread, index) => judgeAddressed(thread, weights[folds[index]!] ?? LEARNED));
  });
}

function scoreFrom(name: string, least: number): Score {
  return average(
    runs.map((run) =>
      score(
        name,
        threads,
        run.map(({ confidence }) => confidence >= least),
      ),
    ),
  );
}

function measureTime(thread: LabeledThread): number {
  const start = performance.now();
  judgeAddressed(thread);
  return performance.now() - start;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
