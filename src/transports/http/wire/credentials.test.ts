/** Authentication over real HTTP: the same 401 for every invalid credential, and a key takes precedence over a cookie. */
import { describe, expect, it } from 'vitest';
import { makePerson, makeUser } from '../../../../test/helpers/service/factories.ts';
import {
  type Answer,
  startTestService,
  withKey,
  withSession,
} from '../../../../test/helpers/service/harness.ts';
import { sendRaw } from '../../../../test/helpers/service/raw-http.ts';
import { sampleOperations } from '../../../../test/helpers/service/sample-operations.ts';
import { newKeySecret } from '../../../features/api-keys/key-format.ts';
import { recordSessionEvent } from '../../../features/planner-events/record-session-event.ts';
import { operations } from '../../../operations.ts';

const service = await startTestService({ operations: [...operations, ...sampleOperations] });
const { acme, clock, db, globex } = service;

const EVENTS = '/api/v2/mcp-sessions/events';
const EVENT = { sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab', eventType: 'x' };

async function personOfAcme(name: string) {
  const user = await makeUser(db, { name, email: `${name}@acme.example` }, clock.now());
  return makePerson(db, acme.id, user, 'member', clock.now());
}

async function revokedKey(): Promise<string> {
  const person = await personOfAcme('revoked');
  const answer = await service.request('DELETE', `/api/v2/api-keys/${person.keyId}`, {
    as: withSession(person),
  });
  expect(answer.status).toBe(200);
  return person.key;
}

async function keyOfDeactivated(): Promise<string> {
  const person = await personOfAcme('deactivated');
  const as = withSession(acme.owner);
  const body = { active: false };
  expect((await service.request('PATCH', `/api/v2/members/${person.userId}`, { as, body })).status).toBe(200);
  return person.key;
}

const withoutRequestId = ({ status, headers, body }: Answer) => {
  const kept = [...headers].filter(([name]) => !['x-request-id', 'date', 'content-length'].includes(name));
  return { status, headers: kept, body: { ...body, requestId: undefined } };
};

describe('204', () => {
  it('accepts a valid key and a valid session', async () => {
    expect((await service.call(recordSessionEvent, EVENT, withKey(acme.member))).status).toBe(204);
    expect((await service.call(recordSessionEvent, EVENT, withSession(acme.member))).status).toBe(204);
  });

  it('uses only the key when a cookie is sent with it', async () => {
    const headers = { cookie: `countersign=${globex.member.token}` };
    const body = { ...EVENT, sessionId: '0198c1f2-7a3b-7c4d-8e5f-00000000aaaa' };
    const answer = await service.request('POST', EVENTS, { as: withKey(acme.member), headers, body });
    expect(answer.status).toBe(204);
    const rows = await db
      .selectFrom('planner_sessions')
      .selectAll()
      .where('id', '=', body.sessionId)
      .execute();
    expect(rows.map((row) => row.organization_id)).toEqual([acme.id]);
  });
});

describe('a key as a bearer token', () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it('gives the same access as the key, in any case of the scheme and with any cookie', async () => {
    const other = { cookie: `countersign=${globex.member.token}` };
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${acme.member.key}`, ...other };
      expect((await service.request('POST', EVENTS, { headers, body: EVENT })).status, scheme).toBe(204);
    }
  });

  it('is refused with a challenge without sign-in, while a token gets the sign-in challenge', async () => {
    const key = await service.request('POST', EVENTS, { headers: bearer(newKeySecret()), body: EVENT });
    expect(key.status).toBe(401);
    expect(key.headers.get('www-authenticate')).toMatch(
      /^Bearer realm="countersign", error="invalid_token", error_description="[^"]+"$/,
    );
    const token = await service.request('POST', EVENTS, { headers: bearer('no-key'), body: EVENT });
    expect(token.status).toBe(401);
    expect(token.headers.get('www-authenticate')).toContain(
      `resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp"`,
    );
  });

  it('takes precedence: a valid cookie with an invalid token is ignored', async () => {
    const headers = { ...bearer('no-key'), cookie: `countersign=${acme.member.token}` };
    expect((await service.request('GET', '/api/v2/session', { headers })).status).toBe(401);
  });

  it('is refused where a browser session is needed', async () => {
    const answer = await service.request('GET', '/api/v2/session', { headers: bearer(acme.member.key) });
    expect(answer).toMatchObject({ status: 403, body: { code: 'key_not_accepted' } });
  });

  it('leaves other schemes to proxies: the cookie is used then', async () => {
    const headers = { authorization: 'Basic eDp5', cookie: `countersign=${acme.member.token}` };
    expect((await service.request('GET', '/api/v2/session', { headers })).status).toBe(200);
  });
});

describe('401', () => {
  it('is the same reply whether the key is missing, malformed, unknown, revoked or its user deactivated', async () => {
    const answers = {
      missing: await service.request('POST', EVENTS, { body: EVENT }),
      empty: await service.request('POST', EVENTS, { as: { key: '' }, body: EVENT }),
      malformed: await service.request('POST', EVENTS, { as: { key: 'csk_x' }, body: EVENT }),
      typo: await service.request('POST', EVENTS, { as: { key: typoIn(acme.member.key) }, body: EVENT }),
      unknown: await service.request('POST', EVENTS, { as: { key: newKeySecret() }, body: EVENT }),
      revoked: await service.request('POST', EVENTS, { as: { key: await revokedKey() }, body: EVENT }),
      deactivated: await service.request('POST', EVENTS, {
        as: { key: await keyOfDeactivated() },
        body: EVENT,
      }),
      padded: await service.request('POST', EVENTS, { as: { key: `"${acme.member.key}"` }, body: EVENT }),
    };
    const expected = withoutRequestId(answers.missing);
    expect(expected.body).toMatchObject({
      status: 401,
      code: 'unauthenticated',
      detail: expect.stringContaining(`Create an API key at ${service.url}/settings/api-keys`),
    });
    for (const [why, answer] of Object.entries(answers))
      expect(withoutRequestId(answer), why).toEqual(expected);
  });

  it('names the credential to send, without a sign-in challenge', async () => {
    const answer = await service.request('POST', EVENTS, { as: { key: 'x' }, body: EVENT });
    expect(answer.headers.get('www-authenticate')).toBe('ApiKey realm="countersign"');
    const elsewhere = await service.request('GET', '/api/v2/session', { as: { key: 'x' } });
    expect(elsewhere.headers.get('www-authenticate')).toBe('ApiKey realm="countersign"');
  });

  it('is returned for an invalid key even with a valid cookie or bearer token', async () => {
    const headers = {
      cookie: `countersign=${acme.member.token}`,
      authorization: `Bearer ${acme.member.key}`,
    };
    for (const key of ['', 'x', newKeySecret()]) {
      expect((await service.request('POST', EVENTS, { as: { key }, headers, body: EVENT })).status).toBe(401);
    }
  });

  it('is returned for two keys, even for the same one twice', async () => {
    const twice = `POST ${EVENTS} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${acme.member.key}\r\nX-Api-Key: ${acme.member.key}\r\nContent-Length: 2\r\n\r\n{}`;
    expect((await sendRaw(service.url, twice)).status).toBe(401);
  });

  it('is returned before the body is read', async () => {
    const answer = await service.request('POST', EVENTS, { as: { key: 'x' }, body: 'no json at all' });
    expect(answer.status).toBe(401);
  });

  it('is returned for an invalid key on a session-only path and on a public one', async () => {
    for (const [method, path] of [
      ['GET', '/api/v2/session'],
      ['GET', '/api/v2/setup'],
      ['POST', '/api/v2/session'],
    ] as const) {
      expect((await service.request(method, path, { as: { key: newKeySecret() } })).status, path).toBe(401);
    }
  });

  it('is returned without a credential where one is needed', async () => {
    for (const operation of operations.filter(({ accepts }) => accepts.length > 0)) {
      const path = operation.http.path.replaceAll(/:\w+/g, EVENT.sessionId);
      const answer = await service.request(operation.http.method, path);
      expect(answer.status, operation.name).toBe(401);
      expect(answer.headers.get('www-authenticate'), operation.name).toMatch(/^(ApiKey|Session) realm=/);
    }
  });
});

describe('403', () => {
  it('is returned for a valid key on every operation that does not accept keys, including public ones', async () => {
    for (const operation of operations.filter(({ accepts }) => !accepts.includes('key'))) {
      const path = operation.http.path.replaceAll(/:\w+/g, EVENT.sessionId);
      const answer = await service.request(operation.http.method, path, { as: withKey(acme.owner) });
      expect(answer.status, operation.name).toBe(403);
      expect(answer.body.code, operation.name).toBe('key_not_accepted');
    }
  });

  it('is returned for a valid key even with a valid cookie', async () => {
    const headers = { cookie: `countersign=${acme.member.token}` };
    const answer = await service.request('GET', '/api/v2/session', { as: withKey(acme.member), headers });
    expect(answer.body.code).toBe('key_not_accepted');
  });

  it('is returned for cross-site requests with a session cookie', async () => {
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ];
    for (const headers of foreign) {
      const answer = await service.request('POST', EVENTS, {
        as: withSession(acme.member),
        headers,
        body: EVENT,
      });
      expect(answer.status).toBe(403);
      expect(answer.body.code).toBe('cross_origin');
    }
  });

  it('is not returned for a key with a foreign Origin: browsers never send keys automatically', async () => {
    const headers = { origin: 'https://tool.example', 'sec-fetch-site': 'cross-site' };
    expect(
      (await service.request('POST', EVENTS, { as: withKey(acme.member), headers, body: EVENT })).status,
    ).toBe(204);
  });
});

describe('404', () => {
  it('is returned on an unknown path with any credential', async () => {
    for (const as of ['nobody', { key: 'x' }, withKey(acme.member), withSession(acme.member)] as const) {
      expect((await service.request('POST', '/api/v2/nothing', { as })).status).toBe(404);
    }
  });
});

function typoIn(key: string): string {
  const last = key.at(-10)!;
  return `${key.slice(0, -10)}${last === 'a' ? 'b' : 'a'}${key.slice(-9)}`;
}
