/** Sends one delivery with a timeout, and keeps the beginning of the response. */
import { sendRequest } from '../../platform/core/network/send-request.ts';

const TIMEOUT_MS = 10_000;
const REPLY_BYTES_READ = 4096;
const REPLY_BYTES_KEPT = 1024;
const MAX_RETRY_AFTER_SECONDS = 3600;

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
  /** How long the receiver asks to wait (`Retry-After` in seconds), at most an hour; 0 if it doesn't. */
  retryAfterMs: number;
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
    return { status: null, note, retryAfterMs: 0 };
  });
  return { ...reply, durationMs: Math.round(performance.now() - started) };
}

async function exchange(attempt: Attempt, signal: AbortSignal): Promise<Omit<Outcome, 'durationMs'>> {
  const { allowPrivateAddresses, body, headers } = attempt;
  const reply = await sendRequest({
    method: 'POST',
    url: new URL(attempt.url),
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    allowPrivateAddresses,
    signal,
    maxBytes: REPLY_BYTES_READ,
  });
  // The status decides. If the rest of the response failed, keep what was received.
  const note =
    reply.ended === 'upgrade'
      ? 'The response switched to another protocol.'
      : noteOn(reply.status, reply.body);
  const retryAfter = reply.headers['retry-after'] ?? '';
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Math.min(Number(retryAfter), MAX_RETRY_AFTER_SECONDS) : 0;
  return { status: reply.status, note, retryAfterMs: seconds * 1000 };
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
