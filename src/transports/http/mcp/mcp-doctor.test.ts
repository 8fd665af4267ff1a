/** The doctor of `/mcp`: it names the credential that was sent and why it fails, and shows only the ends of a secret. */
import { describe, expect, it } from 'vitest';
import { makePerson, makeUser } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { newKeySecret } from '../../../features/api-keys/key-format.ts';

const service = await startTestService({
  settings: { RATE_LIMIT: 'on', RATE_LIMIT_PER_ADDRESS: '60', RATE_LIMIT_PER_KEY: '1000' },
});
const { acme, clock, db } = service;

const ask = async (headers: Record<string, string> = {}) => {
  const answer = await service.request('GET', '/mcp/doctor', { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return answer.body;
};

async function someone(name: string) {
  const user = await makeUser(db, { name, email: `${name}@acme.example` }, clock.now());
  return makePerson(db, acme.id, user, 'member', clock.now());
}

describe('a credential that is accepted', () => {
  it.each([
    ['x-api-key', (key: string) => ({ 'x-api-key': key })],
    ['authorization', (key: string) => ({ authorization: `Bearer ${key}` })],
  ])('is reported with its owner when sent as %s', async (header, headersOf) => {
    const { key } = acme.member;
    const report = await ask(headersOf(key));
    expect(report).toMatchObject({
      accepted: true,
      problem: null,
      credential: { header, kind: 'key', shown: `${key.slice(0, 8)}…${key.slice(-4)}` },
      caller: { organization: 'Acme', role: 'member' },
      warnings: [],
      service: { mcpUrl: `${service.url}/mcp` },
    });
    expect(JSON.stringify(report)).not.toContain(key.slice(8, -4));
  });

  it('comes with a warning when a second credential was sent', async () => {
    const headers = { 'x-api-key': acme.member.key, authorization: `Bearer ${acme.owner.key}` };
    const report = await ask(headers);
    expect(report).toMatchObject({ accepted: true, warnings: [{ code: 'two_credentials' }] });
    expect(report.credential.shown).toContain(acme.member.key.slice(-4));
  });
});

describe('a credential that is not accepted', () => {
  it('is not shown at all if it is short: its ends would be most of it', async () => {
    const report = await ask({ 'x-api-key': 'a-password-of-24-letters' });
    expect(report).toMatchObject({ accepted: false, credential: { shown: '…' } });
  });

  it('is reported as missing, of an unknown scheme, or a cookie alone', async () => {
    expect(await ask()).toMatchObject({ accepted: false, problem: 'missing', credential: null });
    expect(await ask({ authorization: 'Basic YTpi' })).toMatchObject({ problem: 'unknown_scheme' });
    const cookie = `countersign=${acme.member.token}`;
    const report = await ask({ cookie });
    expect(report).toMatchObject({ problem: 'cookie_only', credential: { kind: 'session' }, caller: null });
    expect(JSON.stringify(report)).not.toContain(acme.member.token.slice(0, 6));
  });

  it.each([
    ['', 'It is empty'],
    ['$COUNTERSIGN_API_KEY', 'a variable name that was not replaced'],
    ['"csk_quoted"', 'quotes or whitespace'],
    ['Bearer csk_word', 'without the word Bearer'],
    ['sk-another-service', 'A key starts with csk_'],
    ['csk_short', 'It has 9 characters; a key has 53'],
  ])('is malformed, with the likely mistake in %j', async (key, sentence) => {
    const report = await ask({ 'x-api-key': key });
    expect(report).toMatchObject({ accepted: false, problem: 'malformed' });
    expect(report.detail).toContain(sentence);
  });

  it('is malformed when one character of a key is wrong, in either header', async () => {
    const { key } = acme.member;
    const wrong = `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`;
    for (const [header, value] of [
      ['x-api-key', wrong],
      ['authorization', `Bearer ${wrong}`],
    ] as const) {
      const report = await ask({ [header]: value });
      expect(report.problem).toBe('malformed');
      expect(report.detail).toContain('At least one character is wrong');
    }
  });

  it('is unknown when this service did not create it', async () => {
    expect(await ask({ 'x-api-key': newKeySecret() })).toMatchObject({ problem: 'unknown', caller: null });
    expect(await ask({ authorization: `Bearer ${'t'.repeat(43)}` })).toMatchObject({
      problem: 'unknown',
      credential: { kind: 'token', shown: 'tttt…tttt' },
    });
  });

  it('is revoked, or its owner is deactivated', async () => {
    const revoked = await someone('revoked');
    await service.request('DELETE', `/api/v2/api-keys/${revoked.keyId}`, { as: withSession(revoked) });
    expect(await ask({ 'x-api-key': revoked.key })).toMatchObject({ problem: 'revoked', caller: null });
    const gone = await someone('gone');
    await service.request('PATCH', `/api/v2/members/${gone.userId}`, {
      as: withSession(acme.owner),
      body: { active: false },
    });
    expect(await ask({ 'x-api-key': gone.key })).toMatchObject({ problem: 'deactivated', caller: null });
  });
});

describe('the service around it', () => {
  it('warns when the host name differs from BASE_URL', async () => {
    const elsewhere = service.url.replace('127.0.0.1', 'localhost');
    const report = await (await fetch(`${elsewhere}/mcp/doctor`)).json();
    expect((report as { warnings: unknown }).warnings).toMatchObject([{ code: 'base_url_differs' }]);
  });

  it('limits callers by credential, or by address without a valid one', async () => {
    const limitOf = async (as: 'nobody' | { key: string }) =>
      (await service.request('GET', '/mcp/doctor', { as })).headers.get('ratelimit-limit');
    expect(await limitOf('nobody')).toBe('60');
    expect(await limitOf({ key: 'csk_wrong' })).toBe('60');
    expect(await limitOf(withKey(acme.owner) as { key: string })).toBe('1000');
  });
});
