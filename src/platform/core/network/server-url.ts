/** Checks addresses of servers that the service sends credentials to: code hosts and models. */
import { invalidRequest } from '../errors/errors.ts';
import { hasPrivateHost } from './private-address.ts';

const RESOLVE_WITHIN_MS = 3_000;

/** The URL without a trailing slash, or a Problem. Every later request checks the address again. */
export async function acceptServerUrl(
  text: string,
  allowPrivateAddresses: boolean,
  path = 'url',
): Promise<string> {
  const problem = urlProblem(text, allowPrivateAddresses);
  if (problem) throw invalidRequest([{ path, message: problem }]);
  const url = new URL(text);
  if (!allowPrivateAddresses && (await hasPrivateHost(url, RESOLVE_WITHIN_MS))) {
    throw invalidRequest([
      {
        path,
        message:
          'must not resolve to a loopback or private address (the operator can allow this with ALLOW_PRIVATE_ADDRESSES)',
      },
    ]);
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** As a phrase that follows the field name. */
export function urlProblem(text: string, allowPrivateAddresses: boolean): string | undefined {
  if (!URL.canParse(text)) return 'must be a full URL such as https://git.example.com';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must start with https://';
  if (url.protocol === 'http:' && !allowPrivateAddresses) {
    return 'must start with https:// (the operator can allow http:// with ALLOW_PRIVATE_ADDRESSES)';
  }
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) return 'must not have a query or fragment';
  return undefined;
}
