/** The typed client against a real service, and what it does when the network or the service fails. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestService } from '../../test/helpers/service/harness.ts';
import { operations } from '../operations.ts';
import type { Operation } from '../platform/core/operations/operation.ts';
import { Countersign, CountersignError } from './index.ts';

const service = await startTestService();
const { acme } = service;
const countersign = new Countersign({ url: `${service.url}/`, apiKey: acme.member.key });
const plan = { seriesKey: crypto.randomUUID(), agentVendor: 'codex', content: '# A plan\n\nText.' };

it('has a method for each endpoint that accepts a key', () => {
  const names = (operations as readonly Operation[])
    .filter(({ accepts }) => accepts.includes('key'))
    .map(({ name }) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
  expect(Object.getOwnPropertyNames(Countersign.prototype).sort()).toEqual(['constructor', ...names].sort());
});

it('posts a plan, comments on it and reads the comments', async () => {
  const posted = await countersign.submitPlan(plan);
  expect(posted).toMatchObject({ status: 'pending', version: 1 });
  const { id } = await countersign.addPlanComment({
    seriesId: posted.seriesId,
    versionId: posted.versionId,
    body: 'Why?',
  });
  expect(await countersign.listPlanComments({ seriesId: posted.seriesId })).toMatchObject({
    comments: [{ id, body: 'Why?' }],
  });
  expect((await countersign.listReviewers()).reviewers.length).toBeGreaterThan(9);
  expect(
    await countersign.recordSessionEvent({
      sessionId: crypto.randomUUID(),
      eventType: 'planner_session_started',
    }),
  ).toBeUndefined();
});

it('throws what the service says, with every problem of the input', async () => {
  const wrong = countersign.submitPlan({ ...plan, seriesKey: 'x', content: '' });
  await expect(wrong).rejects.toThrow(CountersignError);
  const error = (await wrong.catch((thrown) => thrown)) as CountersignError;
  expect(error).toMatchObject({ status: 400, code: 'invalid_request', requestId: expect.any(String) });
  expect(error.errors.map(({ path }) => path).sort()).toEqual(['content', 'seriesKey']);
});

describe('when it fails', () => {
  const seen: { key: string | undefined; method: string | undefined }[] = [];
  let replies: (number | 'cut' | 'half' | 'null')[] = [];
  const server = createServer((request, response) => {
    seen.push({ key: request.headers['idempotency-key'] as string | undefined, method: request.method });
    const status = replies.shift() ?? 200;
    if (status === 'cut') return request.socket.destroy();
    if (status === 'half') {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      return setImmediate(() => request.socket.destroy());
    }
    if (status === 'null') return response.writeHead(500).end('null');
    response
      .writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
      .end('{"code":"x"}');
  }).listen(0, '127.0.0.1');
  afterAll(() => server.close());
  const failing = () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    seen.length = 0;
    return new Countersign({ url, apiKey: 'csk_x', retries: 2 });
  };

  it('sends a change again with the same idempotency key, and gives up after the retries', async () => {
    replies = [503, 429, 200];
    await failing().submitPlan(plan);
    expect([seen.length, new Set(seen.map(({ key }) => key)).size]).toEqual([3, 1]);
    replies = [503, 503, 503];
    await expect(failing().submitPlan(plan)).rejects.toMatchObject({ status: 503 });
    expect(seen).toHaveLength(3);
  });

  it('sends a read again when the connection is cut, and not what cannot be repeated', async () => {
    replies = ['cut', 200];
    await failing().listReviewers();
    expect(seen).toHaveLength(2);
    replies = ['half', 200];
    await failing().listReviewers();
    expect(seen).toHaveLength(2);
    replies = ['null'];
    await expect(failing().listReviewers()).rejects.toMatchObject({ status: 500, code: 'unknown' });
    replies = [400, 200];
    await expect(failing().listReviewers()).rejects.toMatchObject({ status: 400 });
    expect(seen).toHaveLength(1);
  });

  it('refuses at once what no header can have, and sends nothing', async () => {
    const sent = failing().submitPlan(plan, { idempotencyKey: 'two\nlines' });
    await expect(sent).rejects.toThrow(TypeError);
    expect(seen).toEqual([]);
  });

  it('stops waiting when it is aborted', async () => {
    replies = [503, 503, 503];
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    await expect(failing().listReviewers({}, { signal: stop.signal })).rejects.toThrow('enough');
  });
});
