/** Calls an operation of the service by its name, typed from the operations table. */
import { ENDPOINTS, type OperationName, type Operations } from './operations.ts';

/** An error reply of the service. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: { path: string; message: string }[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, document: ProblemDocument, retryAfterSeconds: number | undefined) {
    super(document.detail ?? document.title ?? 'Something went wrong.');
    this.name = 'ApiProblem';
    this.status = status;
    this.code = document.code ?? 'unknown';
    this.fields = document.errors ?? [];
    this.requestId = document.requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The service could not be reached. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The service cannot be reached. Check your connection and try again.', { cause });
    this.name = 'Unreachable';
  }
}

interface ProblemDocument {
  title?: string;
  detail?: string;
  code?: string;
  requestId?: string;
  errors?: { path: string; message: string }[];
}

export type CallInput<Name extends OperationName> = Operations[Name]['input'];
export type CallOutput<Name extends OperationName> = Operations[Name]['output'];

/** Called when the session has ended: resolves once the person has signed in again. */
type SignInAgain = () => Promise<void>;
let signInAgain: SignInAgain | undefined;

export function onSessionEnded(handler: SignInAgain | undefined): void {
  signInAgain = handler;
}

export interface CallOptions {
  signal?: AbortSignal;
  renewSession?: boolean;
  /** The same for every attempt of one request, so that the service runs it once. */
  idempotencyKey?: string;
}

/** Calls an operation. A session that has ended is renewed first, so that nothing typed is lost. */
export async function call<Name extends OperationName>(
  name: Name,
  input: CallInput<Name>,
  options: CallOptions = {},
): Promise<CallOutput<Name>> {
  try {
    return await send(name, input, options);
  } catch (error) {
    const ended = error instanceof ApiProblem && error.code === 'unauthenticated';
    if (!ended || options.renewSession === false || !signInAgain) throw error;
    await signInAgain();
    return send(name, input, options);
  }
}

async function send<Name extends OperationName>(
  name: Name,
  input: CallInput<Name>,
  { idempotencyKey, signal }: CallOptions,
): Promise<CallOutput<Name>> {
  const { headers, method, path, ...rest } = requestFor(name, input as Record<string, unknown>);
  const sent = { ...headers, ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) };
  let response: Response;
  try {
    response = await fetch(path, { method, signal, credentials: 'same-origin', headers: sent, ...rest });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable(error);
  }
  if (response.status === 204) return undefined as CallOutput<Name>;
  const body: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiProblem(response.status, body as ProblemDocument, retryAfter(response));
  return body as CallOutput<Name>;
}

/** The address of an operation that is a GET, for links and downloads. */
export function addressOf<Name extends OperationName>(name: Name, input: CallInput<Name>): string {
  return requestFor(name, input as Record<string, unknown>).path;
}

interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

function requestFor(name: OperationName, input: Record<string, unknown>): Request {
  const endpoint = ENDPOINTS[name];
  const rest = { ...input };
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, parameter: string) => {
    const value = encodeURIComponent(String(rest[parameter]));
    delete rest[parameter];
    return value;
  });
  if (endpoint.method === 'GET' || endpoint.method === 'DELETE') {
    const given = Object.entries(rest).filter(([, value]) => value !== undefined && value !== '');
    const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
    return { method: endpoint.method, path: query ? `${path}?${query}` : path, headers: {} };
  }
  return {
    method: endpoint.method,
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rest),
  };
}

function retryAfter(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}
