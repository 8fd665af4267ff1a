/** One attempt over HTTP: sends the body once, follows nothing, waits for a bounded time and reads a bounded reply. */
import { request as requestOverHttp } from 'node:http';
import { request as requestOverHttps } from 'node:https';
import {
  addressOf,
  isPrivateAddress,
  PrivateAddressError,
  publicLookup,
} from '../../platform/core/private-address.ts';

const TIMEOUT_MS = 10_000;
const REPLY_BYTES_READ = 4096;
const REPLY_BYTES_KEPT = 1024;

export interface Attempt {
  url: string;
  headers: Record<string, string>;
  body: string;
  allowPrivateAddresses: boolean;
  /** Breaks the attempt off. */
  signal: AbortSignal;
  timeoutMs?: number;
}

export interface Outcome {
  /** Null when there was no reply. */
  status: number | null;
  /** What went wrong, or how the reply's body begins. */
  note: string | null;
  durationMs: number;
}

/** Fails only when it was broken off; everything else that goes wrong is an outcome. */
export async function postDelivery(attempt: Attempt): Promise<Outcome> {
  const started = performance.now();
  const timeoutMs = attempt.timeoutMs ?? TIMEOUT_MS;
  const late = AbortSignal.timeout(timeoutMs);
  const reply = await exchange(attempt, AbortSignal.any([attempt.signal, late])).catch((error: unknown) => {
    if (attempt.signal.aborted) throw attempt.signal.reason;
    const note = late.aborted ? `There was no reply within ${timeoutMs / 1000} seconds.` : explain(error);
    return { status: null, note };
  });
  return { ...reply, durationMs: Math.round(performance.now() - started) };
}

function exchange(attempt: Attempt, signal: AbortSignal): Promise<Omit<Outcome, 'durationMs'>> {
  const { allowPrivateAddresses, body } = attempt;
  const url = new URL(attempt.url);
  const address = addressOf(url);
  if (!allowPrivateAddresses && address !== undefined && isPrivateAddress(address)) {
    return Promise.reject(new PrivateAddressError());
  }
  const { promise, reject, resolve } = Promise.withResolvers<Omit<Outcome, 'durationMs'>>();
  const request = (url.protocol === 'https:' ? requestOverHttps : requestOverHttp)(url, {
    method: 'POST',
    headers: {
      ...attempt.headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Countersign',
    },
    // A connection of its own each time: one that is kept would skip the look at the address.
    agent: false,
    lookup: allowPrivateAddresses ? undefined : publicLookup(),
    signal,
  });
  request.on('error', reject);
  request.on('response', (response) => {
    const status = response.statusCode!;
    const chunks: Buffer[] = [];
    let bytes = 0;
    // The status decides; whatever becomes of the rest of the reply, what came of it is kept.
    const finish = () => {
      resolve({ status, note: noteOn(status, Buffer.concat(chunks)) });
      request.destroy();
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= REPLY_BYTES_READ) finish();
    });
    response.on('end', finish);
    response.on('error', finish);
    request.off('error', reject).on('error', finish);
  });
  // After a reply that switches protocols the driver closes the connection without a word.
  request.on('upgrade', (response, socket) => {
    socket.destroy();
    resolve({ status: response.statusCode!, note: 'The reply switched to another protocol.' });
  });
  request.on('close', () => reject(new Error('the connection was closed without a reply')));
  request.end(body);
  return promise;
}

function noteOn(status: number, reply: Buffer): string | null {
  if (status >= 300 && status < 400)
    return 'The reply was a redirect. Redirects are not followed: enter the new URL.';
  // PostgreSQL holds no NUL; what is no UTF-8 was replaced by the decoder.
  const text = new TextDecoder()
    .decode(reply.subarray(0, REPLY_BYTES_KEPT))
    .replaceAll('\0', '\ufffd')
    .trim();
  return text === '' ? null : text;
}

const EXPLANATIONS: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a reply came.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  ENOTFOUND: 'The name of the host was not found.',
  EAI_AGAIN: 'The name of the host could not be looked up.',
  ETIMEDOUT: 'The host did not answer.',
  PRIVATE_ADDRESS: 'Not sent: the host has an address of this machine or of a private network.',
};

/** Never with the URL, whose query may hold a secret. */
function explain(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (
    EXPLANATIONS[code ?? ''] ??
    `The request failed: ${message ? message.slice(0, 200) : 'no reason was given'}.`
  );
}
