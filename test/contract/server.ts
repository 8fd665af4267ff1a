/** A running server as its clients see it: a URL, a key and replies. */
import assert from 'node:assert/strict';

const ANSWER_WITHIN_MS = 30_000;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the reply is looked at as a client without types does.
  json: any;
}

export interface Sent {
  /** Sent as JSON; text and bytes are sent as they are. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The key to send instead of the server's; null sends none. */
  key?: string | null;
}

export class Server {
  readonly url: string;
  readonly key: string;
  /** The full name of a repository that is ready to be searched. */
  readonly repository: string | undefined;
  /** A branch of it whose newest pull request has discussions. */
  readonly branch: string | undefined;

  constructor(url: string, key: string, repository?: string, branch?: string) {
    this.url = url.replace(/\/+$/, '');
    this.key = key;
    this.repository = repository;
    this.branch = branch;
  }

  async request(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const { body, key = this.key } = sent;
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== null && { 'x-api-key': key }),
        ...sent.headers,
      },
      body: body === undefined || raw ? (body as string | undefined) : JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const text = await response.text();
    const json =
      text !== '' && /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, json };
  }
}

/** One guarantee of the API. */
export interface Case {
  name: string;
  /** It needs a repository to search. */
  needsRepository?: true;
  run(server: Server): Promise<void>;
}

export function assertStatus(answer: Answer, status: number): void {
  assert.equal(
    answer.status,
    status,
    `status ${answer.status} instead of ${status}: ${answer.text.slice(0, 500)}`,
  );
}

/** An error reply: problem details with a stable code. */
export function assertProblem(answer: Answer, status: number, code: string): void {
  assertStatus(answer, status);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.equal(answer.json.code, code);
  assert.equal(answer.json.status, status);
  for (const field of ['type', 'title', 'detail', 'requestId'])
    assert.equal(typeof answer.json[field], 'string', field);
  assert.ok(!/\bat .*\.[jt]s:\d+|node_modules|SELECT /.test(answer.text), 'the reply shows internals');
}

/** A 400 that lists exactly these fields, in any order. */
export function assertInvalid(answer: Answer, ...paths: string[]): void {
  assertProblem(answer, 400, 'invalid_request');
  const found = answer.json.errors.map((error: { path: string }) => error.path);
  assert.deepEqual(found.toSorted(), paths.toSorted());
  for (const error of answer.json.errors) assert.equal(typeof error.message, 'string');
}
