/** Requests to a provider: the address is checked when connecting, replies are limited, and nothing waits forever. */
import type { CustomFetch } from 'openid-client';
import { sendRequest } from '../../platform/core/send-request.ts';

/** Far more than a discovery document or a set of keys needs. */
const MAX_REPLY_BYTES = 1_000_000;
export const TIMEOUT_SECONDS = 10;

export function providerFetch(allowPrivateAddresses: boolean): CustomFetch {
  return async (url, { body, headers, method, signal }) => {
    const reply = await sendRequest({
      method,
      url: new URL(url),
      headers,
      body: body === undefined || body === null ? undefined : String(body),
      allowPrivateAddresses,
      signal: signal ?? AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
      maxBytes: MAX_REPLY_BYTES,
    });
    if (reply.ended !== 'whole') throw new Error('the reply is too long or was cut off');
    const sent = new Headers();
    for (const [name, value] of Object.entries(reply.headers)) {
      if (value !== undefined) sent.set(name, String(value));
    }
    // `Response` accepts no body with these.
    const empty = reply.status === 204 || reply.status === 304;
    return new Response(empty ? null : new Uint8Array(reply.body), { status: reply.status, headers: sent });
  };
}
