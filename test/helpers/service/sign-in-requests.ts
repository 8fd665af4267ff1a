/** Sign-in requests for tests: from distinct client addresses, with helpers to read the session cookie. */
import { PASSWORD } from './factories.ts';
import type { Answer, TestService } from './harness.ts';

/** Settings for the service that let a test choose the client address of a request. */
export const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.1' };

let addressCount = 0;

/** An address that is unique in this test file, so that attempts are throttled separately. */
export function freshAddress(): string {
  addressCount += 1;
  return `198.51.${Math.floor(addressCount / 250)}.${1 + (addressCount % 250)}`;
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

/** The parsed Set-Cookie header of the session; undefined if the reply has none. */
export function sessionCookie(answer: Answer) {
  const header = answer.headers.getSetCookie()[0];
  if (header === undefined) return undefined;
  const [pair, ...attributes] = header.split('; ');
  const equals = pair!.indexOf('=');
  return { name: pair!.slice(0, equals), token: pair!.slice(equals + 1), attributes };
}

export function tokenFrom(answer: Answer): string {
  const token = sessionCookie(answer)?.token;
  if (!token) throw new Error(`The reply ${answer.status} has no session cookie`);
  return token;
}
