import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestService, withKey } from '../../../../test/helpers/service/harness.ts';
import { callTool } from '../../../commands/clone/call-service.ts';
import { type Context, defineOperation } from '../../../context.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import type { Db } from '../../../platform/db/index.ts';
import { startTimedJobs } from '../../../worker.ts';
import type { Tool } from '../../mcp/tool.ts';

const SECRET = 'a value that belongs in no log';

async function takeAWhile(db: Db): Promise<void> {
  await sql`SELECT 1`.execute(db);
  await sql`SELECT pg_sleep(0.1),
    ${SECRET}::text`.execute(db);
}

const beSlow = defineOperation({
  name: 'be-slow',
  group: 'Test',
  summary: 'Take a while',
  accepts: ['key'],
  role: 'viewer',
  problems: [],
  output: z.object({ done: z.boolean() }),
  http: { method: 'POST', path: '/api/v2/test/slow', status: 200 },
  input: z.object({ note: z.string(), wait: z.boolean() }),
  async run({ actor, db, waits }, { wait }) {
    const end = wait ? waits.open(actor.credentialId) : undefined;
    await takeAWhile(db);
    end?.();
    return { done: true };
  },
});
const slowTool: Tool<Context> = {
  listed: { name: 'be_slow', description: '', inputSchema: { type: 'object' } },
  async call() {
    await takeAWhile(db);
    return { content: [], structuredContent: {} };
  },
} as never;

const service = await startTestService({
  settings: { SLOW_REQUEST_MS: '60', SLOW_QUERY_MS: '60' },
  operations: [beSlow],
  mcpFixtures: { extraTools: [slowTool] },
});
const { acme, db, logLines, request, url } = service;
beforeEach(() => {
  logLines.length = 0;
});
const logged = (message: string) =>
  logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message);
/** Others can be slow too, on a busy machine. */
const slowQueries = () => logged('slow query').filter(({ query }) => query.includes('pg_sleep'));
const run = (wait: boolean) =>
  request('POST', '/api/v2/test/slow', { as: withKey(acme.member), body: { note: SECRET, wait } });

it('logs slow requests and slow queries with the request ID, and never values', async () => {
  const { headers, status } = await run(false);
  expect(status).toBe(200);
  const requestId = headers.get('x-request-id');
  await expect.poll(() => logged('slow request')).toHaveLength(1);
  expect(logged('slow request')).toMatchObject([
    { level: 'warn', requestId, operation: 'be-slow', method: 'POST', status: 200, user: acme.member.userId },
  ]);
  const [{ ms, queries, queryMs }] = logged('slow request');
  // The key, and the two of the operation.
  expect(queries).toBeGreaterThanOrEqual(3);
  expect(queryMs).toBeGreaterThanOrEqual(100);
  expect(ms).toBeGreaterThanOrEqual(queryMs - 1);
  expect(slowQueries()).toMatchObject([
    { level: 'warn', requestId, query: 'SELECT pg_sleep(0.1), $1::text' },
  ]);
  expect(logLines.join('')).not.toContain(SECRET);
});

it('names the MCP tool', async () => {
  await callTool({ baseUrl: url, mcpUrl: `${url}/mcp`, key: acme.member.key }, 'be_slow', {});
  await expect.poll(() => logged('slow request')).toMatchObject([{ operation: 'mcp', tool: 'be_slow' }]);
  expect(slowQueries()).toMatchObject([{ requestId: logged('slow request')[0].requestId }]);
});

it('does not call a request slow that waits for changes on purpose', async () => {
  await run(true);
  await request('GET', '/healthz');
  await expect.poll(() => logged('request')).toHaveLength(2);
  expect(logged('slow request')).toEqual([]);
});

it('names the job of a slow query', async () => {
  const job = { name: 'tidy-up', everyMs: 60_000, run: takeAWhile };
  const log = createLog({ level: 'silent', terminal: false });
  await startTimedJobs([job], { db, log, clock: service.clock }).stop();
  const [line, ...more] = slowQueries();
  expect([line.job, line.requestId, more]).toEqual(['tidy-up', undefined, []]);
});
