/** Errors over real HTTP: their format, what they never reveal, and replies while the database is unreachable. */
import { afterEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../../test/helpers/database/database.ts';
import { proxyTo } from '../../../../test/helpers/database/database-proxy.ts';
import { type Answer, startTestService, withKey } from '../../../../test/helpers/service/harness.ts';
import { sampleOperations } from '../../../../test/helpers/service/sample-operations.ts';
import { operations } from '../../../operations.ts';
import { PROBLEMS } from '../../../platform/core/errors/errors.ts';
import { withConnection } from '../../../platform/db/index.ts';

const service = await startTestService({ operations: [...operations, ...sampleOperations] });
const { acme } = service;
const as = withKey(acme.member);
const THINGS = '/api/v2/test/things';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const causes: Record<number, () => Promise<Answer>> = {
  400: () => service.request('GET', THINGS, { as }),
  401: () => service.request('GET', THINGS),
  403: () => service.request('GET', '/api/v2/session', { as }),
  404: () => service.request('GET', '/api/v2/nothing', { as }),
  405: () => service.request('DELETE', THINGS, { as }),
  413: () => service.request('POST', THINGS, { as, body: { name: 'a'.repeat(2 * 1024 * 1024) } }),
  415: () => service.request('POST', THINGS, { as, body: 'x', headers: { 'content-type': 'text/plain' } }),
  500: () => service.request('POST', '/api/v2/test/broken-things', { as }),
};

describe.each(Object.keys(causes).map(Number))('%d', (status) => {
  it('is a problem document with a stable code, found in the log by its requestId', async () => {
    const answer = await causes[status]!();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer.headers.get('cache-control')).toBe('no-store');

    const { body } = answer;
    const entry = PROBLEMS[body.code as keyof typeof PROBLEMS];
    expect(entry).toMatchObject({ status, title: body.title });
    expect(body).toMatchObject({ status, type: `${service.url}/docs/errors#${body.code}` });
    expect(body.detail).toMatch(/\w/);
    expect(Object.keys(body).filter((name) => name !== 'errors')).toEqual([
      'type',
      'title',
      'status',
      'detail',
      'code',
      'requestId',
    ]);
    expect(body.requestId).toMatch(UUID);
    expect(answer.headers.get('x-request-id')).toBe(body.requestId);
    const logged = service.logLines
      .map((line) => JSON.parse(line))
      .filter((line) => line.requestId === body.requestId);
    expect(logged.map((line) => line.status).filter(Boolean)).toEqual([status]);
  });
});

describe('400', () => {
  it('lists errors with a path and a message each', async () => {
    const { body } = await causes[400]!();
    expect(body.errors).toEqual([{ path: 'needed', message: 'is required' }]);
  });

  it('ignores a request id from the client', async () => {
    const sent = '0198c1f2-7a3b-7c4d-8e5f-0123456789ab';
    const answer = await service.request('GET', THINGS, {
      as,
      headers: { 'x-request-id': sent, 'request-id': sent },
    });
    expect(answer.body.requestId).not.toBe(sent);
  });
});

describe('500', () => {
  it('reveals nothing of the cause, which is logged under the same requestId', async () => {
    const { body } = await causes[500]!();
    expect(body).toMatchObject({ code: 'internal', title: PROBLEMS.internal.title });
    expect(JSON.stringify(body)).not.toMatch(
      /no_such_column|organizations|select|\.ts|stack|kysely|postgres/i,
    );
    const lines = service.logLines.filter((line) => line.includes(body.requestId));
    const cause = lines.map((line) => JSON.parse(line)).find((line) => line.level === 'error');
    expect(cause.err.message).toContain('no_such_column');
    expect(cause.err.stack).toContain('sample-operations.ts');
  });

  it('leaves no secret in the log', () => {
    const all = service.logLines.join('');
    expect(all).toContain(acme.member.userId);
    expect(all).not.toContain(acme.member.key);
  });
});

describe('503', async () => {
  const proxy = await proxyTo(await createTestDatabase());
  const away = await startTestService({ connection: proxy.connection });
  const event = { sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab', eventType: 'x' };
  const record = () =>
    away.request('POST', '/api/v2/mcp-sessions/events', { as: withKey(away.acme.member), body: event });

  afterEach(proxy.restore);

  it('is returned while the database is unreachable, and stops when it is back', async () => {
    expect((await record()).status).toBe(204);
    await proxy.disconnect();
    for (const answer of await Promise.all([record(), record(), record()])) {
      expect(answer.status).toBe(503);
      expect(answer.body).toMatchObject({
        code: 'unavailable',
        detail: 'The database cannot be reached right now.',
      });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    await proxy.restore();
    expect((await record()).status).toBe(204);
  });

  it('is returned by /readyz meanwhile, with the cause only in the log; /healthz stays 200', async () => {
    await proxy.disconnect();
    const ready = await away.request('GET', '/readyz');
    expect(ready.status).toBe(503);
    expect(ready.body.code).toBe('unavailable');
    expect(ready.body.detail).toBe('The service is stopping, or its database does not respond. See the log.');
    const log = away.logLines.map((line) => JSON.parse(line));
    const cause = log.find(({ level, requestId }) => level === 'error' && requestId === ready.body.requestId);
    expect(cause.err.stack).toMatch(/caused by: .*(ECONNREFUSED|Connection terminated)/);
    expect((await away.request('GET', '/healthz')).status).toBe(200);
    await proxy.restore();
    expect((await away.request('GET', '/readyz')).status).toBe(200);
  });

  it('is returned by /readyz when the database accepts connections but does not respond', async () => {
    expect((await record()).status).toBe(204);
    proxy.freeze();
    expect((await away.request('GET', '/readyz')).status).toBe(503);
    await proxy.restore();
    await expect.poll(async () => (await away.request('GET', '/readyz')).status).toBe(200);
  });

  it('stops as soon as connections closed by the database are replaced', async () => {
    await withConnection(away.connection, (client) =>
      client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      ),
    );
    await expect.poll(async () => (await record()).status).toBe(204);
    const more = await Promise.all(Array.from({ length: 10 }, record));
    expect(more.map(({ status }) => status)).toEqual(Array(10).fill(204));
  });
});
