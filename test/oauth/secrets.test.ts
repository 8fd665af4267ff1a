/** No code, token or client secret of a sign-in appears in the database or in the log at the most verbose level. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startTestService } from '../helpers/service/harness.ts';
import {
  answer,
  authorizationUrl,
  Browser,
  begin,
  callWith,
  getCode,
  newClient,
  proofKey,
  redeem,
  refresh,
  revoke,
  signInAgent,
} from './agent.ts';

const service = await startTestService({ settings: { LOG_LEVEL: 'trace' } });
const { acme, db, url } = service;

/** Uses every kind of secret; returns them all. */
async function driveEverything(): Promise<Record<string, string>> {
  const client = await newClient(url, { token_endpoint_auth_method: 'client_secret_post' });
  const secretOf = { client_secret: client.client_secret };
  const got = await getCode(service, acme.member, { client });
  await redeem(url, got, { ...secretOf, code_verifier: proofKey().verifier });
  const first = (await redeem(url, got, secretOf)).body;
  const replayed = await getCode(service, acme.member, { client });
  for (let use = 0; use < 2; use += 1) await redeem(url, replayed, secretOf);
  const second = (await refresh(url, client, first.refresh_token, secretOf)).body;
  await callWith(url, second.access_token);
  await service.flush();
  const open = await getCode(service, acme.admin);
  const waiting = await begin(new Browser(), authorizationUrl(url, open.client, proofKey().challenge));
  const answered = await begin(new Browser(), authorizationUrl(url, open.client, proofKey().challenge));
  await answer(service, acme.owner, answered);
  const ended = await signInAgent(service, acme.owner);
  await revoke(url, ended.client, ended.tokens.access_token);
  await fetch(`${url}/oauth/token?code=${open.code}&refresh_token=${second.refresh_token}`);
  await fetch(`${url}/oauth/auth/${open.code}`);
  // Internal errors are logged with their cause.
  await sql`ALTER TABLE oauth_records ADD CONSTRAINT refuse_all CHECK (false) NOT VALID`.execute(db);
  expect((await refresh(url, client, second.refresh_token, secretOf)).status).toBe(500);
  expect((await redeem(url, open)).status).toBe(500);
  await sql`ALTER TABLE oauth_records DROP CONSTRAINT refuse_all`.execute(db);
  return {
    clientSecret: client.client_secret!,
    redeemedCode: got.code,
    verifier: got.verifier,
    replayedCode: replayed.code,
    firstAccessToken: first.access_token,
    firstRefreshToken: first.refresh_token,
    accessToken: second.access_token,
    refreshToken: second.refresh_token,
    openCode: open.code,
    waitingRequest: waiting,
    answeredRequest: answered,
    endedToken: ended.tokens.access_token,
  };
}

const secrets = await driveEverything();

it('the table has records of every kind, none with a secret', async () => {
  const { rows } = await sql<{ kind: string; row: string }>`
    SELECT kind, to_jsonb(r)::text AS row FROM oauth_records r`.execute(db);
  expect(new Set(rows.map(({ kind }) => kind)).size).toBe(6);
  const found = Object.entries(secrets).flatMap(([name, secret]) =>
    rows.filter(({ row }) => row.includes(secret)).map(({ kind }) => `${name} in a ${kind}`),
  );
  expect(found).toEqual([]);
});

it('nor does any other table', async () => {
  const { rows } = await sql<{ table: string }>`
    SELECT table_name AS table FROM information_schema.tables WHERE table_schema = 'public'`.execute(db);
  for (const { table } of rows) {
    const { rows: texts } = await sql<{ row: string }>`
      SELECT to_jsonb(t)::text AS row FROM ${sql.table(table)} t`.execute(db);
    const all = texts.map(({ row }) => row).join('\n');
    for (const secret of Object.values(secrets)) expect(all.includes(secret), table).toBe(false);
  }
});

it('the log has every request and both failures, but no secret', () => {
  const lines = service.logLines.map((line) => JSON.parse(line));
  const paths = lines.filter(({ msg }) => msg === 'request').map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['/oauth/token', '/oauth/register', '/oauth/auth', '/oauth/revoke']),
  );
  expect(lines.filter(({ msg }) => msg === 'agent sign-in failed')).toHaveLength(2);
  const text = service.logLines.join('\n');
  for (const [name, secret] of Object.entries(secrets))
    expect([name, text.includes(secret)]).toEqual([name, false]);
});
