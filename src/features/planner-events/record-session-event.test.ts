/** Recording events of a planner session over HTTP, by status. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startTestService, withKey, withSession } from '../../../test/helpers/service/harness.ts';
import { recordSessionEvent } from './record-session-event.ts';

const service = await startTestService();
const { acme, clock, db, globex } = service;
const PATH = '/api/v2/mcp-sessions/events';

const record = (body: Record<string, unknown>, as = withKey(acme.member)) =>
  service.call(recordSessionEvent, body, as);

/** Sends the body as it is written. */
const recordText = (body: string | Uint8Array) =>
  service.request('POST', PATH, {
    as: withKey(acme.member),
    body,
    headers: { 'content-type': 'application/json' },
  });

const eventsOf = (sessionId: string) =>
  db.selectFrom('planner_events').selectAll().where('session_id', '=', sessionId).orderBy('id').execute();
const sessionsOf = (sessionId: string) =>
  db.selectFrom('planner_sessions').selectAll().where('id', '=', sessionId).execute();
const errorPaths = (answer: { body: { errors: { path: string }[] } }) =>
  answer.body.errors.map(({ path }) => path);

describe('204', () => {
  it('stores every field, for the caller and their organization', async () => {
    const sessionId = randomUUID();
    const answer = await record({
      sessionId,
      eventType: 'planner_tool_called',
      repository: 'acme/api',
      agentVendor: 'claude-code',
      payload: { tool: 'grep' },
    });
    expect(answer.status).toBe(204);
    expect(answer.body).toBe('');
    expect(answer.headers.get('content-type')).toBeNull();
    const [event, ...more] = await eventsOf(sessionId);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      organization_id: acme.id,
      user_id: acme.member.userId,
      event_type: 'planner_tool_called',
      repository: 'acme/api',
      agent_vendor: 'claude-code',
      payload: '{"tool":"grep"}',
    });
    expect(Math.abs(event!.created_at.getTime() - clock.now().getTime())).toBeLessThan(60_000);
  });

  it('stores optional fields as null if they are absent or null', async () => {
    for (const optional of [{}, { repository: null, agentVendor: null, payload: null }]) {
      const sessionId = randomUUID();
      expect((await record({ sessionId, eventType: 'x', ...optional })).status).toBe(204);
      expect(await eventsOf(sessionId)).toMatchObject([
        { repository: null, agent_vendor: null, payload: null },
      ]);
    }
  });

  it.each(['planner_session_started', 'planner_plan_submitted', 'anything else', '🎉', ' x '])(
    'takes any event type, as it is: %s',
    async (eventType) => {
      const sessionId = randomUUID();
      expect((await record({ sessionId, eventType })).status).toBe(204);
      expect(await eventsOf(sessionId)).toMatchObject([{ event_type: eventType }]);
    },
  );

  it.each([
    ['eventType', [1, 200]],
    ['repository', [0, 1, 300]],
    ['agentVendor', [0, 1, 100]],
  ] as const)('accepts %s at its limits, counted in code points', async (field, lengths) => {
    for (const length of lengths) {
      const sessionId = randomUUID();
      const value = '😀'.repeat(length);
      expect((await record({ sessionId, eventType: 'x', [field]: value })).status, `${length}`).toBe(204);
      const [event] = await eventsOf(sessionId);
      const kept = {
        eventType: event?.event_type,
        repository: event?.repository,
        agentVendor: event?.agent_vendor,
      };
      expect(kept[field]).toBe(value);
    }
  });

  it('accepts a session ID in upper case and of any version for the same session', async () => {
    const sessionId = 'abcdef00-0000-0000-0000-000000000001';
    await record({ sessionId, eventType: 'first' });
    await record({ sessionId: sessionId.toUpperCase(), eventType: 'second' });
    expect((await eventsOf(sessionId)).map((event) => event.event_type)).toEqual(['first', 'second']);
    expect(await sessionsOf(sessionId)).toHaveLength(1);
  });

  it('ignores unknown fields', async () => {
    const sessionId = randomUUID();
    expect(
      (await record({ sessionId, eventType: 'x', color: 'red', userId: acme.owner.userId })).status,
    ).toBe(204);
    expect(await eventsOf(sessionId)).toMatchObject([{ user_id: acme.member.userId }]);
  });

  it('accepts members, admins and owners, with a key and with a session', async () => {
    for (const person of [acme.member, acme.admin, acme.owner]) {
      for (const as of [withKey(person), withSession(person)]) {
        expect((await record({ sessionId: randomUUID(), eventType: 'x' }, as)).status).toBe(204);
      }
    }
  });
});

describe('204: sessions', () => {
  it('are created once when 50 first events arrive together, and every event is kept', async () => {
    const sessionId = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => record({ sessionId, eventType: `event ${index}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(204));
    expect(await sessionsOf(sessionId)).toHaveLength(1);
    expect(new Set((await eventsOf(sessionId)).map((event) => event.event_type)).size).toBe(50);
  });

  it('with the same ID in two organizations are separate', async () => {
    const sessionId = randomUUID();
    await record({ sessionId, eventType: 'of acme', agentVendor: 'codex' });
    await record({ sessionId, eventType: 'of globex', agentVendor: 'cursor' }, withKey(globex.member));
    const sessions = await sessionsOf(sessionId);
    expect(sessions.map((row) => [row.organization_id, row.agent_vendor, row.user_id]).toSorted()).toEqual(
      [
        [acme.id, 'codex', acme.member.userId],
        [globex.id, 'cursor', globex.member.userId],
      ].toSorted(),
    );
    expect((await eventsOf(sessionId)).map((row) => [row.organization_id, row.event_type])).toEqual([
      [acme.id, 'of acme'],
      [globex.id, 'of globex'],
    ]);
  });

  it('record who started them, the first agent, and their first and last event', async () => {
    const sessionId = randomUUID();
    await record({ sessionId, eventType: 'one' });
    clock.advance(1000);
    await record({ sessionId, eventType: 'two', agentVendor: 'codex' }, withKey(acme.owner));
    clock.advance(1000);
    await record({ sessionId, eventType: 'three', agentVendor: 'cursor' });
    const [session] = await sessionsOf(sessionId);
    expect(session).toMatchObject({ user_id: acme.member.userId, agent_vendor: 'codex' });
    const events = await eventsOf(sessionId);
    expect(session!.first_event_at).toEqual(events[0]!.created_at);
    expect(session!.last_event_at).toEqual(events[2]!.created_at);
    expect(events.map((event) => event.user_id)).toEqual(
      [acme.member, acme.owner, acme.member].map((p) => p.userId),
    );
  });
});

describe('400', () => {
  const VALID = { sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab', eventType: 'x' };

  it('lists every problem of the request at once', async () => {
    const answer = await record({
      sessionId: 'x',
      eventType: '',
      repository: 1,
      agentVendor: 'a'.repeat(101),
      payload: [],
      session_id: VALID.sessionId,
    });
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('invalid_request');
    expect(errorPaths(answer).toSorted()).toEqual(
      ['agentVendor', 'eventType', 'payload', 'repository', 'sessionId', 'session_id'].toSorted(),
    );
  });

  it.each(['sessionId', 'eventType'])('for a request without %s, or with null', async (field) => {
    for (const value of [undefined, null]) {
      const answer = await record({ ...VALID, [field]: value });
      expect(answer.status).toBe(400);
      expect(errorPaths(answer)).toEqual([field]);
    }
  });

  it.each([
    ['eventType', '201 characters', 'a'.repeat(201)],
    ['eventType', '201 code points', '😀'.repeat(201)],
    ['eventType', 'nothing', ''],
    ['eventType', 'white space', ' \t\u00a0\u2028'],
    ['eventType', 'NUL', 'a\0'],
    ['eventType', 'half of a surrogate pair', '\ud800'],
    ['repository', '301 characters', 'a'.repeat(301)],
    ['repository', '301 code points', '😀'.repeat(301)],
    ['repository', 'NUL', 'a\0'],
    ['agentVendor', '101 characters', 'a'.repeat(101)],
    ['agentVendor', 'half of a surrogate pair', '\udfff'],
    ['sessionId', 'nothing', ''],
    ['sessionId', 'a uuid without hyphens', '0198c1f27a3b7c4d8e5f0123456789ab'],
    ['sessionId', 'a number', 7],
    ['payload', 'a list', []],
    ['payload', 'text', 'text'],
    ['payload', 'a number', 1],
    ['payload', 'false', false],
  ])('for %s outside its bounds: %s', async (field, _, value) => {
    const answer = await record({ ...VALID, [field]: value });
    expect(answer.status).toBe(400);
    expect(errorPaths(answer)).toEqual([field]);
  });

  it('stores nothing of an invalid event', async () => {
    const sessionId = randomUUID();
    expect((await record({ sessionId, eventType: '' })).status).toBe(400);
    expect(await sessionsOf(sessionId)).toEqual([]);
  });

  it('for a body that is not a JSON object', async () => {
    for (const body of ['', '[]', 'null', '{"sessionId":', '{} {}']) {
      expect((await recordText(body)).status, body).toBe(400);
    }
  });
});

describe('401', () => {
  it('for a request without a valid credential', async () => {
    const body = { sessionId: randomUUID(), eventType: 'x' };
    for (const as of ['nobody', { key: 'x' }, { session: 'x' }] as const) {
      expect((await service.call(recordSessionEvent, body, as)).status).toBe(401);
    }
    expect(await sessionsOf(body.sessionId)).toEqual([]);
  });
});

describe('403', () => {
  it('for viewers, with a key and with a session, and nothing is stored', async () => {
    const body = { sessionId: randomUUID(), eventType: 'x' };
    for (const as of [withKey(acme.viewer), withSession(acme.viewer)]) {
      const answer = await service.call(recordSessionEvent, body, as);
      expect(answer.status).toBe(403);
      expect(answer.body.code).toBe('forbidden');
    }
    expect(await sessionsOf(body.sessionId)).toEqual([]);
  });

  it('for a key whose user became a viewer, from the next request on', async () => {
    const sessionId = randomUUID();
    const role = (value: string) =>
      service.request('PATCH', `/api/v2/members/${globex.member.userId}`, {
        as: withSession(globex.owner),
        body: { role: value },
      });
    const send = () => record({ sessionId, eventType: 'x' }, withKey(globex.member));
    expect((await send()).status).toBe(204);
    expect((await role('viewer')).status).toBe(200);
    expect((await send()).status).toBe(403);
    expect((await role('member')).status).toBe(200);
    expect((await send()).status).toBe(204);
  });
});

describe('405', () => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('for %s, with POST in Allow', async (method) => {
    const answer = await service.request(method, PATH, { as: withKey(acme.member) });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });
});

describe('413', () => {
  it('for a body of more than 2 MiB, and not for exactly 2 MiB', async () => {
    const sessionId = randomUUID();
    const bodyOf = (bytes: number) => {
      const start = `{"sessionId":"${sessionId}","eventType":"x","payload":{"a":"`;
      return `${start}${'x'.repeat(bytes - start.length - 3)}"}}`;
    };
    expect((await recordText(bodyOf(2 * 1024 * 1024 + 1))).status).toBe(413);
    expect(await sessionsOf(sessionId)).toEqual([]);
    expect((await recordText(bodyOf(2 * 1024 * 1024))).status).toBe(204);
  });
});

describe('415', () => {
  it('for a body that is not sent as JSON', async () => {
    const headers = { 'content-type': 'text/plain' };
    const answer = await service.request('POST', PATH, { as: withKey(acme.member), body: '{}', headers });
    expect(answer.status).toBe(415);
  });
});
