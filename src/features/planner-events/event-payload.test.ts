/** `payload` is stored exactly as sent, including what JavaScript or PostgreSQL would rewrite or reject. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startTestService, withKey } from '../../../test/helpers/service/harness.ts';

const service = await startTestService();

const recordText = (body: string) =>
  service.request('POST', '/api/v2/mcp-sessions/events', {
    as: withKey(service.acme.member),
    body,
    headers: { 'content-type': 'application/json' },
  });

async function payloadsOf(sessionId: string): Promise<(string | null)[]> {
  const events = service.db
    .selectFrom('planner_events')
    .select('payload')
    .where('session_id', '=', sessionId);
  return (await events.execute()).map(({ payload }) => payload);
}

describe('204', () => {
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  it.each([
    ['an empty object', '{}'],
    ['numbers that JavaScript rewrites', '{"a":1.0,"b":-0,"c":1E5,"d":0.10}'],
    ['numbers that JavaScript cannot hold', '{"a":1e400,"b":12345678901234567890,"c":0.1234567890123456789}'],
    ['repeated keys', '{"a":1,"a":2,"a":{"a":3,"a":4}}'],
    ['NUL and halves of surrogate pairs, escaped', '{"a":"\\u0000","b":"\\ud800","\\udfff":"\\u0000"}'],
    ['names that every object has', '{"__proto__":{"x":1},"constructor":null,"toString":[]}'],
    ['white space and order', '{ "b" :\t[ 1 ,\r\n 2 ] , "a" : { } }'],
    ['escapes as they were written', '{"\\u0061":"\\/ \\u00e9 é \\n"}'],
    ['braces and quotes inside text', '{"a":"}{][\\"\\\\"}'],
    ['50,000 levels of nesting', deep(50_000)],
    ['a megabyte of text', `{"a":"${'x'.repeat(1_000_000)}"}`],
  ])('keeps %s', async (_, payload) => {
    const sessionId = randomUUID();
    const answer = await recordText(`{"sessionId":"${sessionId}", "payload" : ${payload} ,"eventType":"x"}`);
    expect(answer.status).toBe(204);
    const [kept] = await payloadsOf(sessionId);
    expect(kept === payload).toBe(true);
  });

  it('keeps the last of several payloads, whatever the others are', async () => {
    const sessionId = randomUUID();
    const body = `{"payload":[],"sessionId":"${sessionId}","payload":{"n":1},"eventType":"x","payload":{"n":2.0}}`;
    expect((await recordText(body)).status).toBe(204);
    expect(await payloadsOf(sessionId)).toEqual(['{"n":2.0}']);
  });

  it('reads a body of white space in linear time', async () => {
    const sessionId = randomUUID();
    const space = ' '.repeat(500_000);
    const body = `{"sessionId":"${sessionId}"${space},"x":1${space},"eventType":"x","payload":{}${space}}`;
    expect((await recordText(body)).status).toBe(204);
    expect(await payloadsOf(sessionId)).toEqual(['{}']);
  });
});
