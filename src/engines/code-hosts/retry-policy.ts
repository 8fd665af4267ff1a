/**
 * Decides what follows an attempt: the one retry policy for all hosts. Pure.
 * - A limit of the host is obeyed to the second: a short wait is waited out; otherwise the error says until when.
 * - Failures of the host and of the network are retried with growing pauses, but never a request that may have succeeded.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { HostError } from './host-error.ts';

export const MAX_ATTEMPTS = 4;
/** Longer waits are left to the caller. */
export const MAX_WAIT_MS = 20_000;
/** Hosts that name no time. */
const DEFAULT_PAUSE_MS = 60_000;
/** A host that names a time further away than this is not believed. */
const MAX_PAUSE_MS = 24 * 60 * 60 * 1000;
const FIRST_BACKOFF_MS = 500;

export type Attempted =
  | { kind: 'reply'; status: number; headers: IncomingHttpHeaders; message: string }
  /** There was no whole reply. `sent`: the request may have reached the host; `lasting`: trying again at once is no use;
   * `isOurs`: the host has nothing to do with it. */
  | { kind: 'failed'; sent: boolean; why: string; lasting?: boolean; isOurs?: boolean };

export type Decision =
  | { act: 'accept' }
  | { act: 'retry'; afterMs: number }
  | { act: 'fail'; error: HostError };

export interface Circumstances {
  /** Counted from 1. */
  attempt: number;
  /** Carrying the request out twice is the same as once. */
  repeatable: boolean;
  now: Date;
  /** From 0 to 1. */
  random: number;
}

export function decide(attempted: Attempted, circumstances: Circumstances): Decision {
  if (attempted.kind === 'failed') {
    const { isOurs, lasting, sent, why } = attempted;
    const unreached = isOurs ? undefined : why;
    const error = new HostError('unavailable', `The host did not answer: ${why}.`, { unreached });
    return lasting || (sent && !circumstances.repeatable)
      ? { act: 'fail', error }
      : retryOr(error, backoffMs(circumstances), circumstances);
  }
  const { headers, message, status } = attempted;
  if (status < 400) return { act: 'accept' };
  const until = limitedUntil(attempted, circumstances.now);
  if (until) {
    const error = new HostError('rate_limited', 'The rate limit of the host is used up.', { status, until });
    const pauseMs = until.getTime() - circumstances.now.getTime();
    // After a limit everybody would come back in the same moment.
    return retryOr(error, pauseMs + Math.round(circumstances.random * 250), circumstances);
  }
  const said = message === '' ? '' : `: ${message}`;
  if (status >= 500 || status === 408) {
    const error = new HostError('unavailable', `The host failed with status ${status}${said}`, { status });
    const pauseMs = Math.max(retryAfterMs(headers, circumstances.now) ?? 0, backoffMs(circumstances));
    // 503 with Retry-After says that nothing was done.
    const notDone = status === 503 && headers['retry-after'] !== undefined;
    return circumstances.repeatable || notDone
      ? retryOr(error, pauseMs, circumstances)
      : { act: 'fail', error };
  }
  return { act: 'fail', error: refusal(status, said) };
}

function refusal(status: number, said: string): HostError {
  switch (status) {
    case 401:
      return new HostError('unauthorized', `The host refused the credential${said}`, { status });
    case 403:
      return new HostError('forbidden', `The credential doesn't allow this on the host${said}`, { status });
    case 404:
    case 410:
      return new HostError('not_found', `The host has no such thing, or the credential can't see it${said}`, {
        status,
      });
    default:
      return new HostError('invalid', `The host refused the request with status ${status}${said}`, {
        status,
      });
  }
}

function retryOr(error: HostError, afterMs: number, { attempt }: Circumstances): Decision {
  return attempt < MAX_ATTEMPTS && afterMs <= MAX_WAIT_MS
    ? { act: 'retry', afterMs }
    : { act: 'fail', error };
}

/** Half of it is random, so that the nodes of a service don't come back together. */
function backoffMs({ attempt, random }: Circumstances): number {
  const full = FIRST_BACKOFF_MS * 2 ** (attempt - 1);
  return Math.round(full / 2 + (random * full) / 2);
}

/** When a limit ends; undefined if the reply is not about a limit. */
function limitedUntil(
  { status, headers, message }: Attempted & { kind: 'reply' },
  now: Date,
): Date | undefined {
  // GitHub answers 403 too, for its primary limit with nothing remaining and for its secondary limits with a text.
  const usedUp = remaining(headers) === 0;
  const secondary = headers['retry-after'] !== undefined || /rate limit|abuse detection/i.test(message);
  if (status !== 429 && !(status === 403 && (usedUp || secondary))) return undefined;
  const pauseMs = retryAfterMs(headers, now) ?? (usedUp ? untilResetMs(headers, now) : undefined);
  return new Date(now.getTime() + (pauseMs ?? DEFAULT_PAUSE_MS));
}

/** When the next request may be sent, after a reply that used up the limit; undefined if there is more of it. */
export function pausedUntil(headers: IncomingHttpHeaders, now: Date): Date | undefined {
  if (remaining(headers) !== 0) return undefined;
  const pauseMs = untilResetMs(headers, now);
  return pauseMs === undefined ? undefined : new Date(now.getTime() + pauseMs);
}

function remaining(headers: IncomingHttpHeaders): number | undefined {
  return wholeNumber(headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining']);
}

function untilResetMs(headers: IncomingHttpHeaders, now: Date): number | undefined {
  const epochSeconds = wholeNumber(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']);
  return epochSeconds === undefined ? undefined : limitPause(epochSeconds * 1000 - now.getTime());
}

/** Seconds or a date (RFC 9110). */
function retryAfterMs(headers: IncomingHttpHeaders, now: Date): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  const seconds = wholeNumber(value);
  if (seconds !== undefined) return limitPause(seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : limitPause(date - now.getTime());
}

function limitPause(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, 1000), MAX_PAUSE_MS);
}

function wholeNumber(value: string | string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,12}$/.test(value.trim()) ? Number(value) : undefined;
}
