/** Sends the client's requests with plain `fetch`, and retries without ever making a change twice. */

export interface CountersignOptions {
  /** The address of the service, such as `https://review.example.com`. */
  url: string;
  apiKey: string;
  /** How often a request is retried after a temporary failure; default 3. */
  retries?: number;
  /** Default: the global one. */
  fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** The same key makes a repeated call return the first reply. Default: a new one for every call. */
  idempotencyKey?: string;
}

/** An error response from the service. */
export class CountersignError extends Error {
  readonly status: number;
  /** Stable, such as `not_found`; see docs/errors.md. */
  readonly code: string;
  /** Every problem with the input. */
  readonly errors: { path: string; message: string }[];
  readonly requestId: string | undefined;

  constructor(status: number, problem: Problem) {
    super(problem.detail ?? problem.title ?? `The service answered with ${status}.`);
    this.name = 'CountersignError';
    this.status = status;
    this.code = problem.code ?? 'unknown';
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId;
  }
}

interface Problem {
  title?: string;
  detail?: string;
  code?: string;
  requestId?: string;
  errors?: { path: string; message: string }[];
}

export interface Endpoint {
  method: string;
  path: string;
  /** Where fields that are not in the path go. */
  fields: 'query' | 'body';
  /** `reads` changes nothing; `once` honors an idempotency key; `never` isn't retried once it may have arrived. */
  repeat: 'reads' | 'once' | 'never';
}

const DEFAULT_RETRIES = 3;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** Replies after which the same request can succeed. */
const PASSING = new Set([429, 502, 503, 504]);

export class Caller {
  readonly #options: CountersignOptions;

  constructor(options: CountersignOptions) {
    this.#options = { ...options, url: options.url.replace(/\/+$/, '') };
  }

  /** Retries temporary failures as long as a retry is safe. */
  async call<Reply>(endpoint: Endpoint, input: object, options: CallOptions = {}): Promise<Reply> {
    const request = this.#requestOf(endpoint, { ...input }, options);
    for (let attempt = 0; ; attempt += 1) {
      const canRepeat = attempt < (this.#options.retries ?? DEFAULT_RETRIES);
      let response: Response;
      try {
        response = await (this.#options.fetch ?? fetch)(request.url, request.init);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!canRepeat || endpoint.repeat === 'never') throw error;
        await pause(delayOf(attempt), options.signal);
        continue;
      }
      // The service refused it before doing anything, so a retry is always safe.
      const isRefused = response.status === 429;
      if (PASSING.has(response.status) && canRepeat && (isRefused || endpoint.repeat !== 'never')) {
        await response.body?.cancel();
        await pause(delayOf(attempt, response.headers.get('retry-after')), options.signal);
        continue;
      }
      try {
        return await read<Reply>(response);
      } catch (error) {
        // The connection broke within the reply.
        options.signal?.throwIfAborted();
        if (error instanceof CountersignError || !canRepeat || endpoint.repeat === 'never') throw error;
        await pause(delayOf(attempt), options.signal);
      }
    }
  }

  #requestOf(
    { fields, method, path, repeat }: Endpoint,
    input: Record<string, unknown>,
    options: CallOptions,
  ) {
    const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
      const value = input[name];
      delete input[name];
      return encodeURIComponent(String(value));
    });
    const url = new URL(this.#options.url + filled);
    if (fields === 'query')
      for (const [name, value] of Object.entries(input))
        if (value !== undefined) url.searchParams.set(name, String(value));
    // Fails here, before the first attempt, if a value can't be sent.
    const headers = new Headers({ 'x-api-key': this.#options.apiKey, accept: 'application/json' });
    if (repeat === 'once') headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
    if (fields === 'body') headers.set('content-type', 'application/json');
    const body = fields === 'body' ? JSON.stringify(input) : undefined;
    // Redirects are not followed, because the key would be sent to their target.
    return { url, init: { method, headers, body, redirect: 'manual' as const, signal: options.signal } };
  }
}

async function read<Reply>(response: Response): Promise<Reply> {
  if (response.status === 204) return undefined as Reply;
  const text = await response.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CountersignError(response.status, {
      detail: `This isn't a response from Countersign: ${text.slice(0, 200)}`,
    });
  }
  if (!response.ok) throw new CountersignError(response.status, (value ?? {}) as Problem);
  return value as Reply;
}

/** As long as the service says, else exponential backoff with jitter. */
function delayOf(attempt: number, retryAfter?: string | null): number {
  const seconds = /^\d/.test(retryAfter ?? '')
    ? Number(retryAfter)
    : (Date.parse(retryAfter ?? '') - Date.now()) / 1000;
  if (seconds >= 0) return Math.min(seconds * 1000, MAX_DELAY_MS);
  return Math.min(FIRST_DELAY_MS * 2 ** attempt * (0.5 + Math.random()), MAX_DELAY_MS);
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, fail) => {
    const stop = () => {
      clearTimeout(timer);
      fail(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      done();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
