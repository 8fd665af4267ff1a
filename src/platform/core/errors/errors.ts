/** The table of error codes, and `Problem`, the only error that callers see. */

export const PROBLEMS = {
  invalid_request: {
    status: 400,
    title: 'The request is invalid',
    next: 'Fix every field listed in `errors`, then send the request again.',
  },
  invalid_json: {
    status: 400,
    title: 'The request body is not valid JSON',
    next: 'Send one JSON object, encoded as UTF-8.',
  },
  ambiguous_repository: {
    status: 400,
    title: 'More than one repository has this name',
    next: 'Send one of the full names listed in `candidates`.',
  },
  unauthenticated: {
    status: 401,
    title: 'Authentication required',
    next: 'Send an active API key in the `x-api-key` header, or sign in. If the key was revoked, create a new one.',
  },
  sign_in_failed: {
    status: 401,
    title: 'Incorrect email address or password',
    next: 'Check both and try again. An admin or the operator can reset your password.',
  },
  single_sign_on_required: {
    status: 403,
    title: 'This organization requires single sign-on',
    next: 'Sign in with the single sign-on button. If the provider is down, the operator can run `countersign sso off`.',
  },
  single_sign_on_failed: {
    status: 403,
    title: 'Single sign-on did not work',
    next: 'Follow `detail`, then sign in again.',
  },
  key_not_accepted: {
    status: 403,
    title: 'This endpoint does not accept API keys',
    next: 'Use the web app, or call one of the endpoints that the API reference lists as accepting a key.',
  },
  forbidden: {
    status: 403,
    title: 'Your role does not allow this',
    next: 'Ask an admin of your organization for the role named in `detail`.',
  },
  cross_origin: {
    status: 403,
    title: 'The request came from another site',
    next: 'Send it from the web app itself. If you run the service behind a proxy, check `BASE_URL`.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    next: 'Check the path and the ids. Resources of other organizations return this error too.',
  },
  ref_not_found: {
    status: 404,
    title: 'The repository has no such branch, tag or commit',
    next: 'Check the name of the branch, tag or commit. `ref` can be left out: the default branch is used then.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    next: 'Use one of the methods in the `Allow` header.',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not arrive in time',
    next: 'Send it again over a faster connection.',
  },
  conflict: {
    status: 409,
    title: 'The request conflicts with the current state',
    next: 'Read the current state, then try again; `detail` says what the conflict is.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'This Idempotency-Key was used for another request',
    next: 'Use a new key for a new request. If the first request is still running, retry after `Retry-After` seconds.',
  },
  repository_not_ready: {
    status: 409,
    title: 'The repository is still being fetched or indexed',
    next: 'Retry after `Retry-After` seconds.',
  },
  payload_too_large: {
    status: 413,
    title: 'The request body is too large',
    next: 'Send a smaller body. The operator sets the limit with `BODY_LIMIT_BYTES`.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The request body is not JSON',
    next: 'Send the header `Content-Type: application/json`.',
  },
  misdirected_request: {
    status: 421,
    title: 'The service is not known under this host name',
    next: 'Open it under the address in `BASE_URL`. The operator can allow more names with `ALLOWED_HOSTS`.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    next: 'Retry after `Retry-After` seconds.',
  },
  header_too_large: {
    status: 431,
    title: 'The request headers are too large',
    next: 'Send fewer or shorter headers.',
  },
  internal: {
    status: 500,
    title: 'Something went wrong on our side',
    next: 'Try again. If the error persists, give the `requestId` to the operator, who can find the cause in the log.',
  },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    next: 'Retry after `Retry-After` seconds.',
  },
  disk_full: {
    status: 507,
    title: 'The service has no disk space left',
    next: 'Ask the operator to free disk space, then send the request again.',
  },
} as const satisfies Record<string, { status: number; title: string; next: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One thing wrong with a request: where, and what. */
export interface FieldError {
  path: string;
  message: string;
}

export interface ProblemOptions {
  errors?: FieldError[];
  candidates?: string[];
  /** The kind of names in `candidates`. Default: repositories. */
  candidatesFor?: 'repository' | 'ref' | 'path';
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An outcome that is reported to the caller in our own words; `cause` is only logged. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly errors: FieldError[] | undefined;
  readonly candidates: string[] | undefined;
  readonly candidatesFor: NonNullable<ProblemOptions['candidatesFor']>;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.status = PROBLEMS[code].status;
    this.errors = options.errors;
    this.candidates = options.candidates;
    this.candidatesFor = options.candidatesFor ?? 'repository';
    this.headers = { ...options.headers };
    if (options.retryAfterSeconds !== undefined) {
      this.headers['retry-after'] = String(Math.max(1, Math.ceil(options.retryAfterSeconds)));
    }
  }
}

/** A request that breaks the contract: every problem of it at once. */
export function invalidRequest(errors: FieldError[]): Problem {
  const count = errors.length === 1 ? 'One thing is' : `${errors.length} things are`;
  const first = errors[0];
  const detail = first
    ? `${count} wrong with the request: ${first.path ? `\`${first.path}\` ` : ''}${first.message}${errors.length > 1 ? ' (and more, see `errors`)' : ''}.`
    : 'The request is invalid.';
  return new Problem('invalid_request', detail, { errors });
}

/** Whether work ended because its result is no longer wanted, as `AbortSignal` says it. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

export function notFound(what: string): Problem {
  return new Problem('not_found', `${what} was not found.`);
}
