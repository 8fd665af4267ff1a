/** P15: endpoint 3 with 200 discussions and 2,000 comments against the bare SQL; and its cost as discussions grow. */
import pg from 'pg';
import { type Measurement, median } from './measure.ts';
import { startServer } from './processes.ts';

const REPEATS = 60;
const BRANCH = '/api/v2/discussions/by-branch?repository=acme/measured&branch=measured';

async function request({ key, url }: Record<string, string>): Promise<number> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const started = performance.now();
    const response = await fetch(url + BRANCH, { headers: { 'x-api-key': key! } });
    const discussions = (await response.json()) as unknown[];
    times.push(performance.now() - started);
    if (discussions.length !== 200) throw new Error(`${response.status}: ${discussions.length} discussions`);
  }
  return median(times);
}

/** Reads what the endpoint shows, in two statements, and writes it as JSON. */
async function bareQueries(pool: pg.Pool, pullRequestId: string): Promise<number> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const started = performance.now();
    const discussions = await pool.query({
      name: 'discussions',
      text: `SELECT d.id, d.file, d.start_line, d.end_line, d.commented_code, d.status, u.name FROM discussions d
        LEFT JOIN users u ON u.id = d.author_user_id WHERE d.pull_request_id = $1 AND d.status = 'open' ORDER BY d.created_at, d.id`,
      values: [pullRequestId],
    });
    const comments = await pool.query({
      name: 'comments',
      text: `SELECT c.discussion_id, u.name, c.body, c.created_at FROM pull_request_comments c
        LEFT JOIN users u ON u.id = c.author_user_id WHERE c.discussion_id = ANY($1) ORDER BY c.created_at, c.id`,
      values: [discussions.rows.map(({ id }) => id)],
    });
    JSON.stringify([discussions.rows, comments.rows]);
    times.push(performance.now() - started);
  }
  return median(times);
}

export const discussionsAgainstSql: Measurement = {
  id: 'P15',
  what: 'discussions of a branch, 200 with 2,000 comments',
  unit: 'ms',
  referenceName: 'bare SQL',
  target: { most: 2 },
  rounds: 7,
  async prepare() {
    const service = await startServer('discussions.ts', { ROWS: '1000' });
    const pool = new pg.Pool({ ...JSON.parse(service.ready.connection!), max: 2 });
    const ours = () => request(service.ready);
    const reference = () => bareQueries(pool, service.ready.pullRequestId!);
    await ours();
    await reference();
    return {
      ours,
      reference,
      async end() {
        await pool.end();
        await service.stop();
      },
    };
  },
};

export const discussionsGrowth: Measurement = {
  id: 'P15',
  what: 'discussions of a branch, 10⁶ discussions',
  unit: 'ms',
  referenceName: '10³ discussions',
  target: { most: 1.3 },
  rounds: 5,
  async prepare() {
    const few = await startServer('discussions.ts', { ROWS: '1000' });
    const many = await startServer('discussions.ts', { ROWS: '1000000' });
    await request(few.ready);
    await request(many.ready);
    return {
      ours: () => request(many.ready),
      reference: () => request(few.ready),
      async end() {
        await few.stop();
        await many.stop();
      },
    };
  },
};
