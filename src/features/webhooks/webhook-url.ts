/** Checks the URL of a webhook. */
import { invalidRequest } from '../../platform/core/errors/errors.ts';
import { hasPrivateHost } from '../../platform/core/network/private-address.ts';
import type { WebhookFormat } from './contract.ts';

const RESOLVE_WITHIN_MS = 3_000;

/** The syntax error of a URL, as a phrase that follows the field name; undefined if it is valid. */
export function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be a full URL such as https://example.com/hooks';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must start with https:// or http://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.hash !== '' || text.includes('#')) return 'must not have a fragment';
  return undefined;
}

/** Returns the normalized URL or throws a Problem. Deliveries check the address again when they connect. */
export async function acceptUrl(text: string, allowPrivateAddresses: boolean): Promise<string> {
  const problem = urlProblem(text);
  if (problem) throw invalidRequest([{ path: 'url', message: problem }]);
  const url = new URL(text);
  if (!allowPrivateAddresses && (await hasPrivateHost(url, RESOLVE_WITHIN_MS))) {
    throw invalidRequest([
      {
        path: 'url',
        message:
          'must not resolve to a loopback or private address (the operator can allow this with ALLOW_PRIVATE_ADDRESSES)',
      },
    ]);
  }
  return url.href;
}

/** The whole URL of a chat is a secret: only its beginning is shown. */
export function shownUrl(url: string, format: WebhookFormat): string {
  return format === 'json' ? url : `${new URL(url).origin}/…`;
}

/** The URL without its query, which may contain a secret, for the audit log. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
