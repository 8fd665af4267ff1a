/** `npm run bench [P1 P12 …]`: measures, prints a table, writes it as JSON and as a chart; fails when a target is missed. */
import { followQuote } from './anchors/follow-quote.ts';
import { zoektMeasurements } from './code-search/against-zoekt.ts';
import { corpora } from './code-search/corpus.ts';
import { manyRepositories } from './code-search/many-repositories.ts';
import { searchMeasurements } from './code-search/measurements.ts';
import { compareLists } from './compare-lists.ts';
import { differencePage } from './difference-page.ts';
import { discussionsAgainstSql, discussionsGrowth } from './discussions.ts';
import { flood } from './flood.ts';
import { growth } from './growth.ts';
import { keyCheck } from './key-check.ts';
import { mcpMeasurements } from './mcp.ts';
import { type Measurement, measure, type Result } from './measure.ts';
import { mergeability } from './mergeability.ts';
import { portDiscussions } from './port-places.ts';
import { postComments } from './post-comments.ts';
import { table, writeResults } from './report.ts';
import { reviewerConfig, reviewerList } from './reviewers.ts';
import { reviewMeasurements } from './reviews/measurements.ts';
import { summaryMeasurements } from './summaries.ts';
import { timeToReady } from './time-to-ready.ts';
import { webhookStorm } from './webhook-storm.ts';

const measurements = [
  keyCheck,
  postComments,
  timeToReady,
  growth,
  followQuote,
  compareLists,
  portDiscussions,
  mergeability,
  discussionsAgainstSql,
  discussionsGrowth,
  reviewerConfig,
  reviewerList,
  ...webhookStorm,
  ...flood,
  ...differencePage,
  ...summaryMeasurements,
];
const SEARCH = ['P3', 'P3B', 'P4', 'P5', 'P6', 'P7', 'P8', 'P9', 'P13', 'P22', 'P24', 'LOAD', 'FAIR'];
const REVIEWS = ['P20', 'P21'];

const wanted = process.argv.slice(2).map((word) => word.toUpperCase());
const isWanted = ({ id }: { id: string }) => wanted.length === 0 || wanted.includes(id);
const results: Result[] = [];
const measureAll = async (some: Measurement[]) => {
  for (const measurement of some) {
    results.push(await measure(measurement, (line) => process.stderr.write(`${line}\n`)));
  }
};
await measureAll(measurements.filter(isWanted));
const mcp = mcpMeasurements();
try {
  await measureAll(mcp.measurements.filter(isWanted));
} finally {
  await mcp.end();
}
if ([...SEARCH, ...REVIEWS].some((id) => isWanted({ id }))) {
  for (const corpus of await corpora()) {
    try {
      for (const make of [searchMeasurements, reviewMeasurements]) {
        const { end, measurements: some } = make(corpus);
        try {
          await measureAll(some.filter(isWanted));
        } finally {
          await end();
        }
      }
    } finally {
      corpus.remove();
    }
  }
}
if (process.env.BENCH_REPO && isWanted({ id: 'P23' })) {
  const many = manyRepositories(process.env.BENCH_REPO);
  try {
    await measureAll(many.measurements);
  } finally {
    await many.end();
  }
}
if (isWanted({ id: 'P3C' })) await measureAll(zoektMeasurements());
process.stdout.write(`\n${table(results)}\n`);
if (results.length > 0) writeResults(results);
if (results.length === 0 || results.some(({ held }) => !held)) process.exitCode = 1;
