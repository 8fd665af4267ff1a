/**
 * No key, session token, password, setup or invitation token appears in a log line at the most verbose level, whatever
 * clients send and wherever they put it by mistake.
 */
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { offerSetup } from '../../../src/features/accounts/index.ts';
import { newKeySecret } from '../../../src/features/api-keys/key-format.ts';
import { newToken } from '../../../src/platform/core/text/secret-token.ts';
import { type Db, openDatabase } from '../../../src/platform/db/index.ts';
import { createTestDatabase, urlOf } from '../../helpers/database/database.ts';
import { endProcesses, startService } from '../../helpers/processes/countersign-process.ts';
import { cleanUp } from '../../helpers/processes/real-processes.ts';
import { startTestService } from '../../helpers/service/harness.ts';
import { openRaw } from '../../helpers/service/raw-http.ts';

afterAll(async () => {
  await endProcesses();
  await cleanUp();
});

/** Secrets by kind; none may appear anywhere. */
type Secrets = Record<string, string>;

/** Uses secrets in every correct and incorrect way; returns all that were used. */
async function driveEverything(url: string, setupToken: string, db: Db): Promise<Secrets> {
  const secrets: Secrets = {
    setupToken,
    wrongSetupToken: 'wrong-setup-token-4c1f',
    password: 'the-right-password-77aa',
    wrongPassword: 'a-wrong-password-88bb',
    newPassword: 'the-changed-password-99cc',
    shortPassword: 'sh0rt',
    guestPassword: 'the-guests-password-11dd',
    bearer: 'a-bearer-token-by-mistake-22ee',
    plantedCookie: 'a-planted-cookie-33ff',
  };
  const send = async (
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string>; session?: string; key?: string } = {},
  ) => {
    const headers: Record<string, string> = { 'content-type': 'application/json', ...options.headers };
    if (options.session) headers.cookie = `countersign=${options.session}`;
    if (options.key) headers['x-api-key'] = options.key;
    const { body } = options;
    const response = await fetch(url + path, {
      method,
      headers,
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const cookie = /countersign=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1];
    return { status: response.status, body: text && JSON.parse(text), cookie };
  };
  const owner = { organizationName: 'Acme', name: 'Ada', email: 'ada@acme.example' };

  expect(
    (
      await send('POST', '/api/v2/setup', {
        body: { ...owner, token: secrets.wrongSetupToken, password: secrets.password },
      })
    ).status,
  ).toBe(404);
  expect(
    (
      await send('POST', '/api/v2/setup', {
        body: { ...owner, token: setupToken, password: secrets.shortPassword },
      })
    ).status,
  ).toBe(400);
  const setUp = await send('POST', '/api/v2/setup', {
    body: { ...owner, token: setupToken, password: secrets.password },
  });
  expect(setUp.status).toBe(201);
  secrets.setupSession = setUp.cookie!;

  const signIn = (password: string, extra = {}) =>
    send('POST', '/api/v2/session', { body: { email: owner.email, password, ...extra } });
  expect((await signIn(secrets.wrongPassword!)).status).toBe(401);
  expect((await signIn(secrets.password!, { organizationid: 'x' })).status).toBe(400);
  const signedIn = await signIn(secrets.password!);
  expect(signedIn.status).toBe(200);
  secrets.session = signedIn.cookie!;
  const { session } = secrets;

  const wrongChange = { currentPassword: secrets.wrongPassword, newPassword: secrets.newPassword };
  expect((await send('POST', '/api/v2/password', { session, body: wrongChange })).status).toBe(400);
  const change = { currentPassword: secrets.password, newPassword: secrets.newPassword };
  const changed = await send('POST', '/api/v2/password', { session, body: change });
  expect(changed.status).toBe(200);
  const living = changed.cookie!;
  secrets.changedSession = living;

  const created = await send('POST', '/api/v2/api-keys', { session: living, body: { name: 'CI' } });
  expect(created.status).toBe(201);
  const key: string = created.body.secret;
  secrets.key = key;
  secrets.mistypedKey = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
  const event = { sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab', eventType: 'x' };
  const events = '/api/v2/mcp-sessions/events';
  expect((await send('POST', events, { key, body: event })).status).toBe(204);
  expect((await send('POST', events, { key: secrets.mistypedKey, body: event })).status).toBe(401);
  expect((await send('GET', '/api/v2/members', { key })).status).toBe(403);

  const invited = await send('POST', '/api/v2/invitations', {
    session: living,
    body: { email: 'g@acme.example', role: 'member' },
  });
  expect(invited.status).toBe(201);
  const token: string = invited.body.link.split('#token=')[1];
  secrets.invitationToken = token;
  expect((await send('POST', '/api/v2/invitations/look-up', { body: { token } })).status).toBe(200);
  const guest = { token, name: 'Guest', password: secrets.guestPassword };
  const joined = await send('POST', '/api/v2/invitations/accept', { body: guest });
  expect(joined.status).toBe(201);
  secrets.guestSession = joined.cookie!;

  // Everything in the wrong place.
  const misplaced = [key, living, secrets.newPassword!, token, setupToken];
  for (const secret of misplaced) {
    await send('GET', `/api/v2/session?token=${secret}&password=${secret}`);
    await send('GET', `/api/v2/api-keys?cursor=${secret}`, { session: living });
    await send('POST', '/api/v2/session', { body: `{"email":"ada@acme.example","password":"${secret}"` });
    await send('POST', '/api/v2/session', { body: `"${secret}"` });
    await send('POST', '/api/v2/session', { body: { Email: owner.email, PASSWORD: secret } });
    await send('POST', events, { body: { ...event, sessionId: secret }, key });
    await send('POST', events, { body: secret, headers: { 'content-type': `text/plain; x=${secret}` }, key });
    await send('POST', events, {
      body: event,
      headers: { authorization: `Bearer ${secret}`, referer: `${url}/?k=${secret}` },
    });
    await send('POST', events, {
      body: event,
      headers: { 'x-api-key': `Bearer ${secret}`, 'user-agent': `curl ${secret}` },
    });
    await send('POST', events, { body: event, key, headers: { 'idempotency-key': `${secret}`.repeat(9) } });
    await send('GET', '/api/v2/session', { headers: { cookie: `countersign="${secret}; ${secret}` } });
    const { write, answer } = await openRaw(url);
    await write(`GET / HTTP/1.1\r\nhost: x\r\nx-api-key: ${secret}\r\nno colon ${secret}\r\n\r\n`);
    expect((await answer()).status).toBe(400);
  }
  await send('GET', '/api/v2/session', { headers: { authorization: `Bearer ${secrets.bearer}` } });
  await send('GET', '/api/v2/session', { session: secrets.plantedCookie });

  // Internal errors are logged with their cause.
  for (const table of ['audit_events', 'sessions', 'users', 'api_keys']) {
    await sql`ALTER TABLE ${sql.table(table)} ADD CONSTRAINT refuse_all CHECK (false) NOT VALID`.execute(db);
  }
  expect((await signIn(secrets.newPassword!)).status).toBe(500);
  expect((await send('POST', '/api/v2/api-keys', { session: living, body: { name: 'CI' } })).status).toBe(
    500,
  );
  const back = { currentPassword: secrets.newPassword, newPassword: secrets.password };
  expect((await send('POST', '/api/v2/password', { session: living, body: back })).status).toBe(500);

  for (const table of ['audit_events', 'sessions', 'users', 'api_keys']) {
    await sql`ALTER TABLE ${sql.table(table)} DROP CONSTRAINT refuse_all`.execute(db);
  }
  return secrets;
}

/** Puts a key and a token into known and unknown paths; returns both. */
async function putIntoPaths(url: string): Promise<Secrets> {
  const secrets = { keyInPath: newKeySecret(), tokenInPath: newToken() };
  for (const secret of Object.values(secrets)) {
    for (const path of [
      `/api/v2/api-keys/${secret}`,
      `/invitation/${secret}`,
      `/${secret}`,
      `/%/${secret}`,
    ]) {
      const response = await fetch(url + path, { method: path.includes('api-keys') ? 'DELETE' : 'GET' });
      expect([400, 401, 404]).toContain(response.status);
    }
  }
  return secrets;
}

function expectNone(lines: string[], secrets: Secrets): void {
  const found = Object.entries(secrets).flatMap(([name, secret]) =>
    lines.filter((line) => line.includes(secret)).map((line) => `${name} in ${line.slice(0, 300)}`),
  );
  expect(found).toEqual([]);
}

function expectSilence(lines: string[], driven: Secrets, inPaths: Secrets): void {
  it('contains no secret from a body, a header or a query string, used correctly or not', () => {
    expect(Object.keys(driven).length).toBeGreaterThan(14);
    expectNone(lines, driven);
  });

  it('contains no secret from a path', () => {
    expectNone(lines, inPaths);
  });

  it('contains no password hash, which PostgreSQL repeats in its errors', () => {
    expectNone(lines, { anyPasswordHash: '$argon2id$' });
  });
}

describe('the output of a real process at LOG_LEVEL=trace', async () => {
  const connection = await createTestDatabase();
  const database = await openDatabase(connection, { poolSize: 2, onConnectionLost: () => undefined });
  afterAll(() => database.close());
  const service = await startService({
    env: { DATABASE_URL: urlOf(connection), RATE_LIMIT: 'off', LOG_LEVEL: 'trace' },
  });
  const [, setupToken] = await service.until(/#token=([\w-]+)/);
  const driven = await driveEverything(service.url, setupToken!, database.db);
  const inPaths = await putIntoPaths(service.url);
  const { stderr, stdout } = await service.stop();
  const lines = [...stdout.split('\n'), ...stderr.split('\n')].filter(Boolean);
  const banner = lines.filter((line) => line.includes('Set it up (works once)'));

  it('consists of many JSON log lines', () => {
    const logged = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    expect(logged.filter(({ msg }) => msg === 'request').length).toBeGreaterThan(60);
    expect(logged.filter(({ msg }) => msg === 'request failed').length).toBeGreaterThanOrEqual(3);
  });

  it('shows the setup link once, in the banner, which is not a log line', () => {
    expect(banner).toHaveLength(1);
    expect(banner[0]).toContain(setupToken);
  });

  expectSilence(
    lines.filter((line) => !banner.includes(line)),
    driven,
    inPaths,
  );
});

describe('the log of the service in this process at LOG_LEVEL=trace', async () => {
  const service = await startTestService({ settings: { LOG_LEVEL: 'trace' } });
  await sql`TRUNCATE organizations, users CASCADE`.execute(service.db);
  const link = await offerSetup(service.db, service.url, service.clock.now());
  const driven = await driveEverything(service.url, link!.split('#token=')[1]!, service.db);
  const inPaths = await putIntoPaths(service.url);

  it('consists of many JSON lines', () => {
    expect(service.logLines.length).toBeGreaterThan(60);
    for (const line of service.logLines) expect(() => JSON.parse(line)).not.toThrow();
  });

  expectSilence(service.logLines, driven, inPaths);
});
