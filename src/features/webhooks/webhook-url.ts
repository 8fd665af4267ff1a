/** Which addresses a webhook may have. */
import { invalidRequest } from '../../platform/core/errors.ts';
import { hasPrivateHost } from '../../platform/core/private-address.ts';

const RESOLVE_WITHIN_MS = 3_000;

/** What is wrong with the form of a webhook's URL; undefined when nothing is. The words follow the field's name. */
export function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be a whole URL such as https://example.com/hooks';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:// or http://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  if (url.hash !== '' || text.includes('#')) return 'must not have a fragment';
  return undefined;
}

/** The URL as it is kept, or a Problem. Deliveries check the address again when they connect. */
export async function acceptUrl(text: string, allowPrivateAddresses: boolean): Promise<string> {
  const problem = urlProblem(text);
  if (problem) throw invalidRequest([{ path: 'url', message: problem }]);
  const url = new URL(text);
  if (!allowPrivateAddresses && (await hasPrivateHost(url, RESOLVE_WITHIN_MS))) {
    throw invalidRequest([
      {
        path: 'url',
        message:
          'must not lead to this machine or a private network; the operator can allow that with ALLOW_PRIVATE_ADDRESSES',
      },
    ]);
  }
  return url.href;
}

/** Where it leads, without the query, which may hold a secret: for records. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
