/** The change feed of a plan on two nodes: every event once and in order. */
import { describe, expect, it } from 'vitest';
import { act, postComment, postPlan, read } from '../../../../test/helpers/rows/plans.ts';
import { startAnotherNode } from '../../../../test/helpers/service/another-node.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { openRaw } from '../../../../test/helpers/service/raw-http.ts';

const service = await startTestService();
const second = await startAnotherNode(service);
const { acme, globex } = service;

interface Following {
  /** The numbers of the events so far. */
  numbers(): number[];
  /** Resolves once so many events have come. */
  has(count: number): Promise<void>;
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  stop(): void;
}

/** Follows a plan as a browser does; `last` is what it sends as Last-Event-ID. */
async function follow(
  url: string,
  seriesId: string,
  options: { since?: number; last?: number; token?: string } = {},
): Promise<Following> {
  const { last, since, token = acme.member.token } = options;
  const gone = new AbortController();
  const response = await fetch(
    `${url}/api/v2/plans/${seriesId}/events${since === undefined ? '' : `?since=${since}`}`,
    {
      headers: {
        cookie: `countersign=${token}`,
        ...(last !== undefined && { 'last-event-id': String(last) }),
      },
      signal: gone.signal,
    },
  );
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ]);
  const numbers: number[] = [];
  let wake = () => {};
  const ended = (async () => {
    let text = '';
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const whole = text.split('\n\n');
      text = whole.pop()!;
      for (const event of whole) {
        const id = /^id: (\d+)$/m.exec(event)?.[1];
        if (id === undefined) continue;
        expect(JSON.parse(/^data: (.*)$/m.exec(event)![1]!).number).toBe(Number(id));
        numbers.push(Number(id));
      }
      wake();
    }
  })().catch((error: Error) => {
    if (error.name !== 'AbortError') throw error;
  });
  return {
    numbers: () => numbers,
    async has(count) {
      while (numbers.length < count) await new Promise<void>((resolve) => (wake = resolve));
    },
    ended,
    stop: () => gone.abort(),
  };
}

const plan = async () => (await postPlan(service, acme.member)).body;
const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('server-sent events', () => {
  it('reach clients on both nodes, each once and in order, during concurrent writes', async () => {
    const made = await plan();
    const followers = await Promise.all(
      [service.url, second.url].map((url) => follow(url, made.seriesId, { since: 0 })),
    );
    await Promise.all(Array.from({ length: 60 }, () => postComment(service, acme.admin, made)));
    await Promise.all(followers.map((follower) => follower.has(61)));
    for (const follower of followers) {
      expect(follower.numbers()).toEqual(count(1, 61));
      follower.stop();
    }
  });

  it('resume after the last one received, on another node as well, without loss or duplicates', async () => {
    const made = await plan();
    const first = await follow(service.url, made.seriesId, { since: 0 });
    for (let index = 0; index < 5; index += 1) await postComment(service, acme.admin, made);
    await first.has(3);
    first.stop();
    const last = first.numbers().at(-1)!;
    for (let index = 0; index < 5; index += 1) await postComment(service, acme.admin, made);
    const again = await follow(second.url, made.seriesId, { since: 0, last });
    await again.has(11 - last);
    expect([...first.numbers(), ...again.numbers()]).toEqual(count(1, 11));
    again.stop();
  });

  it('are not sent for a HEAD request, which completes immediately', async () => {
    const made = await plan();
    const answer = await service.request('HEAD', `/api/v2/plans/${made.seriesId}/events`, {
      as: withSession(acme.member),
    });
    expect(answer.status).toBe(200);
  });

  it('start with the next event by default', async () => {
    const made = await plan();
    const follower = await follow(second.url, made.seriesId);
    await postComment(service, acme.admin, made);
    await follower.has(1);
    expect(follower.numbers()).toEqual([2]);
    follower.stop();
  });

  it('end when the session ends', async () => {
    const made = await plan();
    const follower = await follow(second.url, made.seriesId, { token: acme.viewer.token });
    await service.request('DELETE', '/api/v2/session', { as: withSession(acme.viewer) });
    await postComment(service, acme.admin, made);
    await follower.ended;
    expect(follower.numbers()).toEqual([]);
  });

  it('end when the plan is deleted, after its last event', async () => {
    const made = await plan();
    const follower = await follow(second.url, made.seriesId);
    await service.request('DELETE', `/api/v2/plans/${made.seriesId}`, { as: withSession(acme.member) });
    await follower.ended;
    expect(follower.numbers()).toEqual([2]);
  });
});

describe('following many plans', () => {
  it('returns 429 for more than 100 streams of one session, until one ends', async () => {
    const made = await plan();
    const token = acme.admin.token;
    const followers = await Promise.all(
      Array.from({ length: 100 }, () => follow(service.url, made.seriesId, { token })),
    );
    const refused = await read(service, acme.admin, made, '/events');
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    for (const follower of followers) follower.stop();
    await Promise.all(followers.map((follower) => follower.ended));
    let again: Following | undefined;
    await expect
      .poll(
        async () => {
          again = await follow(service.url, made.seriesId, { token }).catch(() => undefined);
          return again !== undefined;
        },
        { timeout: 20_000 },
      )
      .toBe(true);
    again!.stop();
  });
});

describe('the metric of open waits', () => {
  const openWaits = async (url: string) =>
    Number(/^countersign_open_waits (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())![1]);

  it('returns to zero after deleted plans, HEAD requests and clients that disconnect immediately', async () => {
    const [made, deleted] = [await plan(), await plan()];
    const follower = await follow(second.url, deleted.seriesId);
    await service.request('DELETE', `/api/v2/plans/${deleted.seriesId}`, { as: withSession(acme.member) });
    await follower.ended;
    const path = `/api/v2/plans/${made.seriesId}/events`;
    const headers = { cookie: `countersign=${acme.member.token}` };
    await fetch(`${second.url}${path}`, { method: 'HEAD', headers });
    for (let index = 0; index < 10; index += 1) {
      const client = await openRaw(second.url);
      await client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${headers.cookie}\r\n\r\n`);
      client.socket.destroy();
    }
    await expect.poll(() => openWaits(second.url)).toBe(0);
  });
});

describe('waiting for changes', () => {
  const wait = (seriesId: string, query: string, url = second.url) =>
    fetch(`${url}/api/v2/plans/${seriesId}/changes?${query}`, {
      headers: { cookie: `countersign=${acme.member.token}` },
    }).then(async (response) => ({
      status: response.status,
      body: (await response.json()) as never as Changes,
    }));
  interface Changes {
    events: { number: number; kind: string }[];
    cursor: number;
    status: string;
    version: number;
    code?: string;
  }

  it('returns immediately if there are events after `since`', async () => {
    const made = await plan();
    await postComment(service, acme.admin, made);
    const { body } = await wait(made.seriesId, 'since=0&waitSeconds=55');
    expect(body.events.map(({ kind }) => kind)).toEqual(['plan_created', 'comment_added']);
    expect([body.cursor, body.status, body.version]).toEqual([2, 'pending', 1]);
  });

  it('returns when something happens on another node, with the new status', async () => {
    const made = await plan();
    const waiting = wait(made.seriesId, 'since=1&waitSeconds=55');
    await act(service, acme.admin, made, 'approve', { versionId: made.versionId });
    const { body } = await waiting;
    expect(body.events[0]).toMatchObject({ number: 2, kind: 'approved' });
    expect(body.status).toBe('approved');
  });

  it('returns no events and the same cursor when the wait times out', async () => {
    const made = await plan();
    const { body } = await wait(made.seriesId, 'waitSeconds=0');
    expect(body).toEqual({
      ...{ events: [], comments: [], cursor: 1, status: 'pending', version: 1 },
      reviewState: 'awaiting_review',
    });
  });

  it('returns at most 200 events, and a cursor for the rest', async () => {
    const made = await plan();
    await Promise.all(Array.from({ length: 210 }, () => postComment(service, acme.admin, made)));
    const first = (await wait(made.seriesId, 'since=0')).body;
    const rest = (await wait(made.seriesId, `since=${first.cursor}`)).body;
    expect([...first.events, ...rest.events].map(({ number }) => number)).toEqual(count(1, 211));
    expect(first.events).toHaveLength(200);
  });

  it('returns 404 if the plan is deleted during the wait', async () => {
    const made = await plan();
    const waiting = wait(made.seriesId, 'since=1&waitSeconds=55');
    await service.request('DELETE', `/api/v2/plans/${made.seriesId}`, { as: withSession(acme.member) });
    expect((await waiting).body.code).toBe('not_found');
  });

  it.each(['since=-1', 'since=x', 'waitSeconds=56', 'waitSeconds=-1'])('is 400 for %s', async (query) => {
    expect((await wait((await plan()).seriesId, query)).status).toBe(400);
  });

  it.each(['changes', 'events'])(
    'is 400 on /%s for a `since` that the plan has not reached',
    async (path) => {
      const made = await plan();
      const refused = await read(service, acme.member, made, `/${path}?since=2`);
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        [
          {
            path: 'since',
            message:
              'is greater than the last event number of this plan. Omit it to start with the latest event.',
          },
        ],
      ]);
      await postComment(service, acme.admin, made);
      expect((await wait(made.seriesId, 'since=2&waitSeconds=0')).body.cursor).toBe(2);
    },
  );

  it('returns 401 if the session ends during the wait', async () => {
    const made = await plan();
    const waiting = fetch(`${second.url}/api/v2/plans/${made.seriesId}/changes?waitSeconds=55`, {
      headers: { cookie: `countersign=${acme.owner.token}` },
    });
    await service.request('DELETE', '/api/v2/session', { as: withSession(acme.owner) });
    await postComment(service, acme.admin, made);
    expect((await waiting).status).toBe(401);
  });

  it('returns 404 for a plan of another organization', async () => {
    const made = await plan();
    const answer = await read(service, globex.owner, made, '/changes');
    expect(answer.status).toBe(404);
  });
});
