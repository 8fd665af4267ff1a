/**
 * A `fetch` for the model libraries that goes nowhere but to the configured server: the address is checked when connecting,
 * redirects are not followed, and time and size are limited. The reply is read whole before it is parsed.
 */

import { NetworkProblem } from '../../platform/core/network/outgoing-network.ts';
import { PrivateAddressError } from '../../platform/core/network/private-address.ts';
import { sendRequest } from '../../platform/core/network/send-request.ts';
import type { ModelEndpoint } from '../../platform/core/ports/model-endpoint.ts';
import { ModelError } from './model-error.ts';

const MAX_REPLY_BYTES = 8 * 1024 * 1024;
export const MAX_REQUEST_MS = 180_000;

/** One request that may cost something. */
export interface Exchange {
  sentBytes: number;
  receivedBytes: number;
}

export interface FetchOptions {
  endpoint: Pick<ModelEndpoint, 'url' | 'allowPrivateAddresses'>;
  maxRequestMs?: number;
  /** Called for every request that was answered with a 2xx, or not to the end. */
  onExchange(exchange: Exchange): void;
}

export function createGuardedFetch(options: FetchOptions): typeof fetch {
  const { endpoint, maxRequestMs = MAX_REQUEST_MS, onExchange } = options;
  return async (input, init = {}) => {
    const url = new URL(String(input));
    if (!url.href.startsWith(`${endpoint.url}/`)) throw new Error('a request to another address');
    if (url.protocol !== 'https:' && !endpoint.allowPrivateAddresses) {
      throw new ModelError('refused', "The address of the model's server must start with https://.");
    }
    const body = String(init.body ?? '');
    const late = AbortSignal.timeout(maxRequestMs);
    const signal = init.signal ? AbortSignal.any([init.signal, late]) : late;
    const sentBytes = Buffer.byteLength(body);
    const unavailable = (why: string, cause?: unknown) =>
      new ModelError('unavailable', `The model's server can't be reached: ${why}.`, { cause });
    const tooLate = () => unavailable(`no whole reply within ${maxRequestMs / 1000} seconds`);
    let reply: Awaited<ReturnType<typeof sendRequest>>;
    try {
      reply = await sendRequest({
        method: init.method ?? 'GET',
        url,
        headers: Object.fromEntries(new Headers(init.headers).entries()),
        body,
        allowPrivateAddresses: endpoint.allowPrivateAddresses,
        signal,
        maxBytes: MAX_REPLY_BYTES,
      });
    } catch (error) {
      init.signal?.throwIfAborted();
      if (late.aborted) {
        onExchange({ sentBytes, receivedBytes: 0 });
        throw tooLate();
      }
      if (error instanceof PrivateAddressError) {
        throw new ModelError('refused', "The model's server has a loopback or private address.");
      }
      if (error instanceof NetworkProblem) throw unavailable(error.message, error);
      throw unavailable((error as NodeJS.ErrnoException).code ?? 'the connection failed', error);
    }
    if (reply.status < 300) onExchange({ sentBytes, receivedBytes: reply.body.length });
    if (reply.ended !== 'whole') {
      init.signal?.throwIfAborted();
      if (late.aborted) throw tooLate();
      const why =
        reply.ended === 'limit' ? `is larger than ${MAX_REPLY_BYTES / 1024 / 1024} MB` : 'was cut off';
      throw new ModelError('unexpected_reply', `The model's reply ${why}.`);
    }
    return new Response(new Uint8Array(reply.body), {
      status: reply.status,
      headers: Object.entries(reply.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    });
  };
}
