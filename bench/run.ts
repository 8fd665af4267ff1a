/** `npm run bench [P1 P12 …]`: measures, prints one table, writes it as JSON and as a chart; fails when a target is missed. */
import { followQuote } from './anchors/follow-quote.ts';
import { growth } from './growth.ts';
import { keyCheck } from './key-check.ts';
import { measure, type Result } from './measure.ts';
import { postComments } from './post-comments.ts';
import { table, writeResults } from './report.ts';
import { timeToReady } from './time-to-ready.ts';

const measurements = [keyCheck, postComments, timeToReady, growth, followQuote];

const wanted = process.argv.slice(2).map((word) => word.toUpperCase());
const chosen = measurements.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
const results: Result[] = [];
for (const measurement of chosen) {
  results.push(await measure(measurement, (line) => process.stderr.write(`${line}\n`)));
}
process.stdout.write(`\n${table(results)}\n`);
if (wanted.length === 0) writeResults(results);
if (results.length === 0 || results.some(({ held }) => !held)) process.exitCode = 1;
