/** Requests that another site makes a browser send are refused by every operation that changes something. */
import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { sessionCookie } from '../../../../test/helpers/service/sign-in-requests.ts';
import { operations } from '../../../operations.ts';
import { pathParameters } from '../../../platform/core/operations/operation.ts';
import { getSession } from './get-session.ts';
import { signOut } from './sign-out.ts';

const service = await startTestService();
const { acme } = service;
const signIn = (headers: Record<string, string>) =>
  service.request('POST', '/api/v2/session', {
    body: { email: acme.member.email, password: PASSWORD },
    headers,
  });

const FOREIGN: [string, Record<string, string>][] = [
  ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['Sec-Fetch-Site: same-site, a neighbouring subdomain', { 'sec-fetch-site': 'same-site' }],
  ['a foreign Origin', { origin: 'https://evil.example' }],
  ['a null Origin, as a sandboxed frame has', { origin: 'null' }],
  ['an Origin that is no address', { origin: 'evil' }],
  ['an Origin on another port', { origin: 'http://127.0.0.1:1' }],
  ['cross-site with an Origin that pretends', { 'sec-fetch-site': 'cross-site', origin: service.url }],
];

describe('403', () => {
  it.each(FOREIGN)('refuses a sign-in with %s', async (_name, headers) => {
    const answer = await signIn(headers);
    expect([answer.status, answer.body.code]).toEqual([403, 'cross_origin']);
    expect(sessionCookie(answer)).toBeUndefined();
  });

  it('refuses every operation that changes something, before anything is done', async () => {
    const changing = operations.filter(({ http }) => http.method !== 'GET');
    expect(changing.length).toBeGreaterThan(10);
    for (const operation of changing) {
      const path = pathParameters(operation as never).reduce<string>(
        (built, name) => built.replace(`:${name}`, acme.member.userId),
        operation.http.path,
      );
      const answer = await service.request(operation.http.method, path, {
        as: withSession(acme.owner),
        body: operation.http.method === 'DELETE' ? undefined : {},
        headers: { 'sec-fetch-site': 'cross-site' },
      });
      expect([operation.name, answer.status, answer.body.code]).toEqual([
        operation.name,
        403,
        'cross_origin',
      ]);
    }
    expect((await service.call(getSession, {}, withSession(acme.owner))).status).toBe(200);
  });

  it('does not affect the session of the user', async () => {
    const answer = await service.request('DELETE', signOut.http.path, {
      as: withSession(acme.admin),
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.status).toBe(403);
    expect((await service.call(getSession, {}, withSession(acme.admin))).status).toBe(200);
  });
});

describe('200', () => {
  it.each([
    ['a client that is no browser', {}],
    ['the web app itself', { 'sec-fetch-site': 'same-origin', origin: service.url }],
    ['a browser without Fetch Metadata on the web app', { origin: service.url }],
    ['a person who typed the address', { 'sec-fetch-site': 'none' }],
  ])('allows %s to sign in', async (_name, headers) => {
    expect((await signIn(headers)).status).toBe(200);
  });

  it('allows another site to link to read operations', async () => {
    const answer = await service.request('GET', '/api/v2/session', {
      as: withSession(acme.member),
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(answer.status).toBe(200);
  });
});
