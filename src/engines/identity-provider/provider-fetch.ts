/** Requests to a provider: the address is checked when connecting, replies are limited, and nothing waits forever. */
import type { CustomFetch } from 'openid-client';
import { checkedFetch } from '../../platform/core/network/checked-fetch.ts';

/** Far more than a discovery document or a set of keys needs. */
const MAX_REPLY_BYTES = 1_000_000;
export const TIMEOUT_SECONDS = 10;

export function providerFetch(allowPrivateAddresses: boolean): CustomFetch {
  const limits = { allowPrivateAddresses, maxBytes: MAX_REPLY_BYTES, timeoutMs: TIMEOUT_SECONDS * 1000 };
  return (url, init) => checkedFetch(url, init, limits);
}
