/** Shared by the three fake hosts: an HTTP server with tokens, rate limits, conditional requests, git, and signed deliveries. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveGit } from '../helpers/servers/git-server.ts';
import type { FakeAccount } from './fake-model.ts';

export interface FakeRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: unknown;
}

export interface FakeReply {
  status: number;
  body?: unknown;
  /** In place of a body. */
  text?: string;
  headers?: Record<string, string>;
}

export interface FakeDelivery {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface FakeLimit {
  remaining: number;
  /** Sent along with replies, with a status for refusals. */
  headers(remaining: number): Record<string, string>;
  status: number;
}

export interface FakeServer {
  /** `http://127.0.0.1:port` */
  url: string;
  /** Requests to the API so far, without git's. */
  requests: FakeRequest[];
  /** Errors in requests or in the fake's own replies: tests expect none. */
  problems: string[];
  /** Deliveries that the host would have sent, oldest first. Tests send, lose, repeat or reorder them. */
  deliveries: FakeDelivery[];
  /** Tokens and whose they are. Removing one revokes it. */
  tokens: Map<string, FakeAccount>;
  /** Codes of people who signed in, with their account. */
  signInCodes: Map<string, FakeAccount>;
  /** While set, each request takes one. */
  limit: FakeLimit | null;
  /** Handles requests before the fake does, if it returns true. */
  intercept(handler: ((request: IncomingMessage, response: ServerResponse) => boolean) | null): void;
  close(): Promise<void>;
}

export interface FakeServerOptions {
  /** Answers a request to the API. */
  answer(request: FakeRequest): FakeReply | Promise<FakeReply>;
  /** The folder with `owner/name.git`, if repositories can be fetched. */
  gitFolder?: string | undefined;
  /** The host answers conditional requests. */
  etags: boolean;
}

/** A refusal of the host, thrown by routes. */
export class FakeRefusal extends Error {
  readonly reply: FakeReply;

  constructor(status: number, body: unknown = { message: 'refused' }) {
    super(`status ${status}`);
    this.reply = { status, body };
  }
}

export async function startFakeServer({ answer, etags, gitFolder }: FakeServerOptions): Promise<FakeServer> {
  let handler: ((request: IncomingMessage, response: ServerResponse) => boolean) | null = null;
  const fake: Omit<FakeServer, 'url' | 'close'> = {
    requests: [],
    problems: [],
    deliveries: [],
    tokens: new Map(),
    signInCodes: new Map(),
    limit: null,
    intercept: (next) => {
      handler = next;
    },
  };
  const server = createServer((incoming, outgoing) => {
    if (handler?.(incoming, outgoing)) return;
    if (/\.git\//.test(incoming.url!)) return void serveFakeGit(incoming, outgoing);
    void respond(incoming, outgoing);
  });

  function serveFakeGit(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const [, pair = ''] = /^Basic (.+)$/.exec(incoming.headers.authorization ?? '') ?? [];
    const password = Buffer.from(pair, 'base64').toString().split(':').slice(1).join(':');
    if (!fake.tokens.has(password))
      return void outgoing.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    serveGit(gitFolder!, incoming, outgoing);
  }

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    fake.requests.push(request);
    const reply = await limited(request).catch((error: unknown): FakeReply => {
      if (error instanceof FakeRefusal) return error.reply;
      fake.problems.push(`${request.method} ${request.path}: ${(error as Error).stack}`);
      return { status: 500, body: { message: 'the fake failed' } };
    });
    const text = reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body));
    const etag = `W/"${createHash('sha256').update(text).digest('hex')}"`;
    const headers = { 'content-type': 'application/json', ...reply.headers };
    if (etags && request.method === 'GET' && reply.status === 200) {
      Object.assign(headers, { etag });
      if (request.headers['if-none-match'] === etag) return void outgoing.writeHead(304, headers).end();
    }
    outgoing.writeHead(reply.status, headers).end(text);
  }

  async function limited(request: FakeRequest): Promise<FakeReply> {
    const { limit } = fake;
    if (!limit) return await answer(request);
    if (limit.remaining === 0)
      return {
        status: limit.status,
        body: { message: 'API rate limit exceeded' },
        headers: limit.headers(0),
      };
    limit.remaining -= 1;
    const reply = await answer(request);
    return { ...reply, headers: { ...reply.headers, ...limit.headers(limit.remaining) } };
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return Object.assign(fake, {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  });
}

async function readRequest(incoming: IncomingMessage): Promise<FakeRequest> {
  const url = new URL(incoming.url!, 'http://fake.invalid');
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const { headers, method } = incoming;
  const body = text === '' ? undefined : JSON.parse(text);
  return { method: method!, path: url.pathname, query: url.searchParams, headers, body };
}

/** Exchanges a code for a token, as OAuth 2 has it; GitHub refuses with status 200. */
export function exchangeCode(fake: FakeServer, { body }: FakeRequest, refusal: number): FakeReply {
  const { code, code_verifier, grant_type } = body as Record<string, string>;
  const account = fake.signInCodes.get(code!);
  if (!account || !code_verifier || grant_type !== 'authorization_code')
    return { status: refusal, body: { error: 'invalid_grant', error_description: 'The code is wrong.' } };
  fake.signInCodes.delete(code!);
  const token = `oauth-${account.id}`;
  fake.tokens.set(token, account);
  return { status: 200, body: { access_token: token, token_type: 'bearer' } };
}

/** One page of a list, with the `Link` header that all three hosts send. */
export function pageOf<Item>(
  items: Item[],
  { path, query }: FakeRequest,
  sizeParameter: 'per_page' | 'limit' = 'per_page',
): { items: Item[]; headers: Record<string, string> } {
  const size = Math.min(Number(query.get(sizeParameter) ?? 30), 100);
  const page = Number(query.get('page') ?? 1);
  const next = new URLSearchParams(query);
  next.set('page', String(page + 1));
  const headers: Record<string, string> = {};
  if (items.length > page * size) headers.link = `<http://fake.invalid${path}?${next}>; rel="next"`;
  return { items: items.slice((page - 1) * size, page * size), headers };
}

export type Parameters = Record<string, string>;
export type Route = (request: FakeRequest, parameters: Parameters) => FakeReply | Promise<FakeReply>;

interface CompiledRoute {
  key: string;
  method: string;
  template: string;
  names: string[];
  pattern: RegExp;
}

const compiled = new WeakMap<object, CompiledRoute[]>();

function compile(routes: object): CompiledRoute[] {
  const known = compiled.get(routes);
  if (known) return known;
  const list = Object.keys(routes).map((key) => {
    const [method, template] = key.split(' ') as [string, string];
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const pattern = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '([^/]+)');
    return { key, method, template, names, pattern: new RegExp(`^${pattern}$`) };
  });
  compiled.set(routes, list);
  return list;
}

/** Finds the route of a request by templates such as `GET /repos/{owner}/{repo}`. */
export function findRoute<Value>(
  routes: Record<string, Value>,
  method: string,
  path: string,
): { template: string; value: Value; parameters: Parameters } | undefined {
  for (const { key, method: routeMethod, names, pattern, template } of compile(routes)) {
    const match = routeMethod === method ? pattern.exec(path) : null;
    if (!match) continue;
    const values = names.map((name, index) => [name, decodeURIComponent(match[index + 1]!)] as const);
    return { template, value: routes[key]!, parameters: Object.fromEntries(values) };
  }
  return undefined;
}
