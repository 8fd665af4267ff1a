/** Someone in front of a browser, for tests: comes from an address of their own, signs in and keeps the cookie. */
import { PASSWORD } from './factories.ts';
import type { Answer, TestService } from './harness.ts';

/** Lets a test say from where a request comes; give it as `settings` to the service. */
export const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.1' };

let addressesGiven = 0;

/** An address that nobody else in this test file has, so that attempts are not counted together. */
export function freshAddress(): string {
  addressesGiven += 1;
  return `198.51.${Math.floor(addressesGiven / 250)}.${1 + (addressesGiven % 250)}`;
}

export function signInFrom(
  service: Pick<TestService, 'request'>,
  who: { email: string; password?: string; organizationId?: string },
  address: string = freshAddress(),
): Promise<Answer> {
  const { email, organizationId, password = PASSWORD } = who;
  return service.request('POST', '/api/v2/session', {
    body: { email, password, organizationId },
    headers: { 'x-forwarded-for': address },
  });
}

/** The Set-Cookie header that carries a session, taken apart; undefined when the reply has none. */
export function sessionCookie(answer: Answer) {
  const header = answer.headers.getSetCookie()[0];
  if (header === undefined) return undefined;
  const [pair, ...attributes] = header.split('; ');
  const equals = pair!.indexOf('=');
  return { name: pair!.slice(0, equals), token: pair!.slice(equals + 1), attributes };
}

export function tokenFrom(answer: Answer): string {
  const token = sessionCookie(answer)?.token;
  if (!token) throw new Error(`No session cookie came with the reply ${answer.status}`);
  return token;
}
