/** Sends requests to one host with one credential: address check, limits, retries and pauses; replies are JSON. */
import { Agent as HttpAgent, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { NetworkProblem } from '../../platform/core/network/outgoing-network.ts';
import { PrivateAddressError } from '../../platform/core/network/private-address.ts';
import { type IncomingReply, sendRequest } from '../../platform/core/network/send-request.ts';
import type { HostEnvironment } from './environment.ts';
import { HostError } from './host-error.ts';
import { MAX_MESSAGE_LENGTH, MAX_REDIRECTS, MAX_REPLY_BYTES, REQUEST_TIMEOUT_MS } from './limits.ts';
import { type Attempted, decide, pausedUntil } from './retry-policy.ts';

const decompress = promisify(gunzip);

export interface HostRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL, encoded. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  /** Carrying it out twice is the same as once. Default: everything but POST. */
  repeatable?: boolean;
  /** The reply is not JSON. */
  isText?: boolean;
}

export interface HostReply {
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined if the reply is empty, or text was asked for. */
  json: unknown;
  text: string;
}

/** A rate limit that the host reported, shared by everything that uses the credential. */
export interface Pause {
  until: Date | null;
}

/** Connections are reused; those that were made are to checked addresses. */
export interface Connections {
  http: HttpAgent;
  https: HttpsAgent;
}

export function createConnections(): Connections {
  const options = { keepAlive: true, maxSockets: 4, timeout: REQUEST_TIMEOUT_MS };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

export interface HostClientOptions {
  /** Without a slash at the end. */
  baseUrl: string;
  headers: Record<string, string>;
  /** Removed from messages. */
  secrets: string[];
  pause: Pause;
  connections: Connections;
  environment: HostEnvironment;
  signal: AbortSignal;
  /** For one attempt. */
  timeoutMs?: number;
}

export type HostClient = (request: HostRequest) => Promise<HostReply>;

export function createHostClient(options: HostClientOptions): HostClient {
  const { environment, headers, pause, signal } = options;
  return async (request) => {
    if (Object.values(headers).some((value) => !/^[\t\x20-\x7e]*$/.test(value)))
      throw new HostError('unauthorized', 'The credential contains characters that no credential has.');
    const url = addressFor(options, request);
    const repeatable = request.repeatable ?? request.method !== 'POST';
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      refuseWhilePaused(pause, environment.clock.now());
      const { attempted, reply } = await attemptOnce(options, request, url);
      const now = environment.clock.now();
      if (attempted.kind === 'reply') pause.until = pausedUntil(attempted.headers, now) ?? pause.until;
      const decision = decide(attempted, { attempt, repeatable, now, random: environment.random() });
      if (decision.act === 'accept') {
        return { ...reply!, json: request.isText ? undefined : parseJson(reply!) };
      }
      if (decision.act === 'fail') {
        if (decision.error.code === 'rate_limited') pause.until = decision.error.until;
        throw decision.error;
      }
      await environment.sleep(decision.afterMs, signal);
    }
  };
}

function addressFor({ baseUrl, environment }: HostClientOptions, { path, query = {} }: HostRequest): URL {
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  // A man in the middle could read the token; on a private network, the operator decides.
  if (url.protocol !== 'https:' && !environment.allowPrivateAddresses)
    throw new HostError('invalid', 'The address of the host must start with https://.');
  return url;
}

function refuseWhilePaused(pause: Pause, now: Date): void {
  if (pause.until === null) return;
  if (pause.until.getTime() <= now.getTime()) {
    pause.until = null;
    return;
  }
  throw new HostError('rate_limited', 'The rate limit of the host is used up.', { until: pause.until });
}

interface WholeReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** One attempt, with its redirects. Throws only if the work is no longer wanted or can't be done. */
async function attemptOnce(
  options: HostClientOptions,
  request: HostRequest,
  first: URL,
): Promise<{ attempted: Attempted; reply?: WholeReply }> {
  const { timeoutMs = REQUEST_TIMEOUT_MS } = options;
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const reply = await followRedirects(options, request, first, AbortSignal.any([options.signal, late]));
    const { headers, status, text } = reply;
    const message = status < 400 ? '' : messageOf(text, options.secrets);
    return { attempted: { kind: 'reply', status, headers, message }, reply };
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof HostError) throw error;
    if (error instanceof PrivateAddressError || (error as Error)?.cause instanceof PrivateAddressError)
      throw new HostError('invalid', 'The host has a loopback or private address.');
    const { code } = error as NodeJS.ErrnoException;
    const why = late.aborted
      ? `no reply within ${timeoutMs / 1000} seconds`
      : error instanceof NetworkProblem
        ? error.message
        : (NEVER_SENT[code ?? ''] ?? code ?? 'the connection failed');
    const sent = !Object.hasOwn(NEVER_SENT, code ?? '');
    return {
      attempted: {
        kind: 'failed',
        sent,
        why,
        lasting: code === 'ENOTFOUND',
        isOurs: code === 'PROXY_FAILED',
      },
    };
  }
}

/** Errors before there was a connection, as phrases; those of a `NetworkProblem` have their own. */
const NEVER_SENT: Record<string, string> = {
  ECONNREFUSED: 'it refused the connection (ECONNREFUSED)',
  ENOTFOUND: "its name can't be resolved (ENOTFOUND)",
  EAI_AGAIN: "its name can't be resolved right now (EAI_AGAIN)",
  EHOSTUNREACH: 'there is no route to it (EHOSTUNREACH)',
  ENETUNREACH: 'there is no route to it (ENETUNREACH)',
  PROXY_FAILED: 'the outgoing proxy failed',
  UNTRUSTED_CERTIFICATE: 'its certificate is not trusted',
};

/** Renamed repositories redirect. Only within the host, because the credential goes along. */
async function followRedirects(
  options: HostClientOptions,
  request: HostRequest,
  first: URL,
  signal: AbortSignal,
): Promise<WholeReply> {
  const { method = 'GET' } = request;
  let url = first;
  for (let count = 0; ; count += 1) {
    const reply = await exchange(options, request, url, signal);
    const { location } = reply.headers;
    if (reply.status < 300 || reply.status > 399 || reply.status === 304) return reply;
    const next = URL.parse(location ?? '', url);
    if (method !== 'GET' || !next || next.origin !== first.origin || count === MAX_REDIRECTS)
      throw new HostError('invalid', 'The host redirects elsewhere. Check the address of the host.', {
        status: reply.status,
      });
    url = next;
  }
}

async function exchange(
  { connections, environment, headers }: HostClientOptions,
  request: HostRequest,
  url: URL,
  signal: AbortSignal,
): Promise<WholeReply> {
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const reply = await sendRequest({
    method: request.method ?? 'GET',
    url,
    headers: {
      'accept-encoding': 'gzip',
      ...headers,
      ...request.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body,
    allowPrivateAddresses: environment.allowPrivateAddresses,
    signal,
    maxBytes: MAX_REPLY_BYTES,
    agent: url.protocol === 'https:' ? connections.https : connections.http,
  });
  if (reply.ended === 'limit') throw tooLarge();
  if (reply.ended !== 'whole') throw new Error('the reply was cut off');
  return { status: reply.status, headers: reply.headers, text: (await decoded(reply)).toString('utf8') };
}

async function decoded({ headers, body }: IncomingReply): Promise<Buffer> {
  if (headers['content-encoding'] === undefined || headers['content-encoding'] === 'identity') return body;
  if (headers['content-encoding'] !== 'gzip')
    throw new HostError('unexpected_reply', 'The host sent an encoding that was not asked for.');
  try {
    return await decompress(body, { maxOutputLength: MAX_REPLY_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new HostError('unexpected_reply', 'The host sent a reply that can’t be decompressed.');
  }
}

function tooLarge(): HostError {
  return new HostError('unexpected_reply', `The host's reply is larger than ${MAX_REPLY_BYTES} bytes.`);
}

function parseJson({ text }: WholeReply): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new HostError('unexpected_reply', 'The host sent something other than JSON. Check its address.');
  }
}

/** The host's message about a failure, as one short line without our secrets. Pages of proxies are not shown. */
function messageOf(text: string, secrets: string[]): string {
  let reply: unknown;
  try {
    reply = JSON.parse(text);
  } catch {
    return '';
  }
  const { message, error, errors } = (reply ?? {}) as Record<string, unknown>;
  let line = [message ?? error, errors].flatMap((part) => (part ? asText(part) : [])).join(' ');
  for (const secret of secrets) line = line.replaceAll(secret, '[secret]');
  return line
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_MESSAGE_LENGTH);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
