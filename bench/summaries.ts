/** P10: the search over 50,000 architecture summaries and the words of 5,000 repositories against its bare SQL queries, and its slowest replies. */
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import { findSummaries } from '../src/features/architecture/index.ts';
import type { Tables } from '../src/platform/db/schema.ts';
import { type Measurement, median } from './measure.ts';
import { startServer } from './processes.ts';
import { send } from './send.ts';
import { createWords } from './servers/summary-words.ts';

const SEARCHES = 100;
const WARM_UP_ROUNDS = 4;
const MAX_P95_MS = 20;

/** 3 to 6 keywords: one of the 200 most frequent words, the others rarer. */
function makeSearches(): string[][] {
  const words = createWords(2);
  return Array.from({ length: SEARCHES }, (_, index) =>
    Array.from({ length: 3 + (index % 4) }, (_each, place) =>
      words.ranked(Math.floor(place === 0 ? 20 + 180 * words.random() : 200 * 100 ** words.random())),
    ),
  );
}

async function prepare() {
  const service = await startServer('summaries.ts', {});
  const pool = new pg.Pool({ ...JSON.parse(service.ready.connection!), max: 2 });
  const searches = makeSearches();
  const statements: Statement[][] = [];
  for (const keywords of searches) statements.push(await statementsOf(pool, keywords, service.ready));
  const request = async (keywords: string[]) => {
    const received = await send({
      method: 'POST',
      url: `${service.ready.url}/api/v2/cross-repo/search`,
      headers: { 'x-api-key': service.ready.key!, 'content-type': 'application/json' },
      body: JSON.stringify({ keywords }),
    });
    const { summaries } = JSON.parse(received) as { summaries: unknown[] };
    if (summaries.length === 0) throw new Error(`Nothing was found for ${keywords.join(' ')}.`);
  };
  const ours = () => timesOf(searches.map((keywords) => () => request(keywords)));
  const bare = () =>
    timesOf(
      statements.map((each) => async () => {
        const replies = [];
        for (const statement of each) replies.push(await pool.query(statement));
        JSON.stringify(replies.at(-1)!.rows);
      }),
    );
  // A service that has been running for a while is measured: V8 compiles what has run a few hundred times.
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    await ours();
    await bare();
  }
  const end = async () => {
    await pool.end();
    await service.stop();
  };
  return { ours, bare, end };
}

interface Statement {
  text: string;
  values: unknown[];
}

/** The SQL that the service runs for these keywords. */
async function statementsOf(
  database: pg.Pool,
  keywords: string[],
  { organizationId, userId }: Record<string, string>,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  const query = async (text: string, values: readonly unknown[]) => {
    const statement = { text, values: [...values] };
    statements.push(statement);
    return database.query(statement);
  };
  const pool = { connect: async () => ({ query, release: () => undefined }), end: async () => undefined };
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as unknown as PostgresPool }) });
  const reader = { organizationId: organizationId!, userId: userId!, role: 'owner' as const };
  await findSummaries(db, reader, { keywords, limit: 50 });
  return statements;
}

async function timesOf(runs: (() => Promise<void>)[]): Promise<number[]> {
  const times: number[] = [];
  for (const run of runs) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return times;
}

const p95 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!;

export const summaryMeasurements: Measurement[] = [
  {
    id: 'P10',
    what: 'search over 50,000 summaries, median',
    unit: 'ms',
    referenceName: 'bare SQL',
    target: { most: 1.5 },
    rounds: 5,
    async prepare() {
      const { bare, end, ours } = await prepare();
      return { ours: async () => median(await ours()), reference: async () => median(await bare()), end };
    },
  },
  {
    id: 'P10',
    what: 'search over 50,000 summaries, 95th percentile',
    unit: 'ms',
    referenceName: 'the limit',
    target: { most: 1 },
    rounds: 5,
    async prepare() {
      const { end, ours } = await prepare();
      return { ours: async () => p95(await ours()), reference: async () => MAX_P95_MS, end };
    },
  },
];
