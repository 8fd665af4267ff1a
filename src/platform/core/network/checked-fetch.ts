/** A `fetch` for libraries and commands on top of `sendRequest`; the reply is read whole before it is returned. */
import { sendRequest } from './send-request.ts';

export interface CheckedFetchOptions {
  allowPrivateAddresses: boolean;
  /** Longer replies are errors. */
  maxBytes: number;
  timeoutMs: number;
}

export interface CheckedFetchInit {
  method?: string | undefined;
  headers?: RequestInit['headers'] | undefined;
  body?: unknown;
  signal?: AbortSignal | null | undefined;
}

export async function checkedFetch(
  url: string | URL,
  { body, headers, method = 'GET', signal }: CheckedFetchInit,
  { allowPrivateAddresses, maxBytes, timeoutMs }: CheckedFetchOptions,
): Promise<Response> {
  const until = signal ?? AbortSignal.timeout(timeoutMs);
  const reply = await sendRequest({
    method,
    url: new URL(url),
    headers: Object.fromEntries(new Headers(headers)),
    body: body === undefined || body === null ? undefined : String(body),
    allowPrivateAddresses,
    signal: until,
    maxBytes,
  }).catch((error: unknown) => {
    throw until.aborted ? until.reason : error;
  });
  if (reply.ended !== 'whole') throw new Error('the reply is too long or was cut off');
  const received = new Headers();
  for (const [name, value] of Object.entries(reply.headers)) {
    if (value !== undefined) received.set(name, String(value));
  }
  // `Response` doesn't accept a body with these.
  const empty = reply.status === 204 || reply.status === 304;
  return new Response(empty ? null : new Uint8Array(reply.body), { status: reply.status, headers: received });
}
