/** P1b: endpoint 1 against a bare route with the same rows. P19: endpoint 2 with 200 reviewers and 10⁶ discussions against the bare SQL. */
import pg from 'pg';
import { type Measurement, median } from './measure.ts';
import { requestsPerSecond, startServer } from './processes.ts';

const LOAD = { connections: 64, seconds: 4 };
const REPEATS = 20;
const REVIEWERS = 200;

export const reviewerConfig: Measurement = {
  id: 'P1B',
  what: 'reviewer configuration with a key, 64 connections',
  unit: 'requests/s',
  referenceName: 'bare Fastify with pg',
  target: { least: 0.6 },
  rounds: 5,
  async prepare() {
    const service = await startServer('config.ts');
    const { connection, key, organizationId, url } = service.ready as Record<string, string>;
    const bare = await startServer('bare-config.ts', {
      CONNECTION: connection!,
      ORGANIZATION: organizationId!,
    });
    const path = '/api/v2/reviewer/config';
    const reference = () => requestsPerSecond({ ...LOAD, url: bare.ready.url + path });
    const ours = () => requestsPerSecond({ ...LOAD, url: url + path, headers: { 'x-api-key': key! } });
    await reference();
    await ours();
    return {
      reference,
      ours,
      async end() {
        await bare.stop();
        await service.stop();
      },
    };
  },
};

async function request({ key, url }: Record<string, string>): Promise<number> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const started = performance.now();
    const response = await fetch(`${url}/api/v2/reviewer/reviewers`, { headers: { 'x-api-key': key! } });
    const { reviewers } = (await response.json()) as { reviewers: { discussions: unknown[] }[] };
    times.push(performance.now() - started);
    if (reviewers.length !== REVIEWERS || reviewers[0]!.discussions.length !== 10)
      throw new Error(`${response.status}: ${reviewers.length} reviewers`);
  }
  return median(times);
}

/** Reads what the endpoint shows, in two statements, and writes it as JSON. */
async function bareQueries(pool: pg.Pool, organizationId: string): Promise<number> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const started = performance.now();
    const reviewers = await pool.query({
      name: 'reviewers',
      text: `SELECT v.*, a.description, s.paths, s.repository_id FROM reviewers v
        LEFT JOIN reviewer_versions a ON a.reviewer_id = v.id AND a.number = v.active_version
        LEFT JOIN reviewer_scopes s ON s.reviewer_id = v.id AND s.version = v.active_version
        WHERE v.organization_id = $1 AND v.deleted_at IS NULL ORDER BY v.built_in IS NULL, v.folded_title`,
      values: [organizationId],
    });
    const discussions = await pool.query({
      name: 'discussions',
      text: `SELECT v.id AS reviewer_id, d.* FROM unnest($1::uuid[]) v (id) CROSS JOIN LATERAL (
          SELECT d.id, r.name, p.number, d.file, d.start_line, d.status, d.created_at FROM discussions d
          JOIN repositories r ON r.id = d.repository_id JOIN pull_requests p ON p.id = d.pull_request_id
          WHERE d.reviewer_id = v.id ORDER BY d.created_at DESC, d.id DESC LIMIT 10) d`,
      values: [reviewers.rows.map(({ id }) => id)],
    });
    JSON.stringify([reviewers.rows, discussions.rows]);
    times.push(performance.now() - started);
  }
  return median(times);
}

export const reviewerList: Measurement = {
  id: 'P19',
  what: 'list of 200 reviewers, 10⁶ discussions',
  unit: 'ms',
  referenceName: 'bare SQL',
  target: { most: 2 },
  rounds: 5,
  async prepare() {
    const service = await startServer('reviewers.ts', { ROWS: '1000000' });
    const pool = new pg.Pool({ ...JSON.parse(service.ready.connection!), max: 2 });
    const ours = () => request(service.ready);
    const reference = () => bareQueries(pool, service.ready.organizationId!);
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
