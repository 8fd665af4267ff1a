/** Sends one HTTP request: no redirects, with a timeout, and reading a limited part of the response. */
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
  /** Aborts the attempt. */
  signal: AbortSignal;
  timeoutMs?: number;
}

export interface Outcome {
  /** Null if there was no response. */
  status: number | null;
  /** The error, or the beginning of the response body. */
  note: string | null;
  durationMs: number;
}

/** Throws only if it was aborted; every other failure is an outcome. */
export async function postDelivery(attempt: Attempt): Promise<Outcome> {
  const started = performance.now();
  const timeoutMs = attempt.timeoutMs ?? TIMEOUT_MS;
  const late = AbortSignal.timeout(timeoutMs);
  const reply = await exchange(attempt, AbortSignal.any([attempt.signal, late])).catch((error: unknown) => {
    if (attempt.signal.aborted) throw attempt.signal.reason;
    const note = late.aborted ? `No response within ${timeoutMs / 1000} seconds.` : explain(error);
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
    // A new connection each time, because a reused one would skip the check of the address.
    agent: false,
    lookup: allowPrivateAddresses ? undefined : publicLookup(),
    signal,
  });
  request.on('error', reject);
  request.on('response', (response) => {
    const status = response.statusCode!;
    const chunks: Buffer[] = [];
    let bytes = 0;
    // The status decides. If the rest of the response fails, keep what was received.
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
  // After a response that switches protocols, Node.js closes the connection without an error.
  request.on('upgrade', (response, socket) => {
    socket.destroy();
    resolve({ status: response.statusCode!, note: 'The response switched to another protocol.' });
  });
  request.on('close', () => reject(new Error('the connection was closed without a response')));
  request.end(body);
  return promise;
}

function noteOn(status: number, reply: Buffer): string | null {
  if (status >= 300 && status < 400)
    return "The response was a redirect. Redirects aren't followed; enter the new URL.";
  // PostgreSQL can't store NUL. Invalid UTF-8 was replaced by the decoder.
  const text = new TextDecoder()
    .decode(reply.subarray(0, REPLY_BYTES_KEPT))
    .replaceAll('\0', '\ufffd')
    .trim();
  return text === '' ? null : text;
}

const EXPLANATIONS: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a response was received.',
  EHOSTUNREACH: "The host can't be reached.",
  ENETUNREACH: "The host can't be reached.",
  ENOTFOUND: 'The host name was not found.',
  EAI_AGAIN: 'The host name could not be resolved.',
  ETIMEDOUT: 'The host did not respond.',
  PRIVATE_ADDRESS: 'Not sent: the host has a loopback or private address.',
};

/** Never includes the URL, whose query may contain a secret. */
function explain(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (
    EXPLANATIONS[code ?? ''] ??
    `The request failed: ${message ? message.slice(0, 200) : 'no reason was given'}.`
  );
}
