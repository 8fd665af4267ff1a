/** `/mcp`: hands requests of agents to the MCP endpoint, once it is known who calls. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream, ReadableStreamDefaultReader } from 'node:stream/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../../platform/core/errors.ts';
import type { McpCall } from '../../../platform/core/mcp-endpoint.ts';
import { type Operation, runForValue } from '../../../platform/core/operation.ts';
import { readInput } from '../../../platform/core/read-input.ts';
import { countRequest, type Door, type IdentifyRules, identify } from '../access/identify.ts';
import { startCall, stillAllowed } from '../operation-call.ts';
import { readBytes } from '../request-body.ts';
import type { ServerParts } from '../types.ts';
import { isForeignPage } from './agent-origin.ts';

/** No cookie opens it: what a browser sends by itself is no agent's doing. */
const DOOR: Door = { name: '/mcp', accepts: ['key', 'oauth'], invitesSignIn: true };

const METHODS = ['GET', 'POST', 'DELETE'] as const;

/** Newer generations of the protocol have no batches, and older clients hardly use them. */
const MAX_IN_BATCH = 20;

/** Agents run in browsers too. A page that may ask must still bring a key or a token of its own. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'www-authenticate, mcp-protocol-version, mcp-session-id, x-request-id, retry-after',
};
const PREFLIGHT = {
  'access-control-allow-methods': METHODS.join(', '),
  // The star stands for every header but this one.
  'access-control-allow-headers': '*, Authorization',
  'access-control-max-age': '86400',
};

export async function addMcp<Context>(
  server: FastifyInstance,
  options: ServerParts<Context>,
  rules: IdentifyRules,
): Promise<void> {
  const { disconnectOf, mcp, settings, site } = options;
  server.addHook('onClose', () => mcp.close());
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage) =>
      readBytes(payload, settings.bodyLimitBytes),
    );
    const open = (request: FastifyRequest, reply: FastifyReply) => {
      if (isForeignPage(request.headers.origin, site.baseUrl, settings.mcpAllowedOrigins)) {
        countRequest(undefined, request, reply, rules.rateLimit);
        throw new Problem(
          'cross_origin',
          'A page of another site sent this request. The operator can allow that site with MCP_ALLOWED_ORIGINS.',
        );
      }
      reply.headers(CORS);
    };
    scope.options('/mcp', { config: { operation: 'mcp' } }, async (request, reply) => {
      open(request, reply);
      countRequest(undefined, request, reply, rules.rateLimit);
      return reply.code(204).headers(PREFLIGHT).send();
    });
    scope.route({
      method: [...METHODS],
      url: '/mcp',
      exposeHeadRoute: false,
      config: { operation: 'mcp' },
      // A compressor gathers what it gets, and events must leave at once.
      compress: false,
      async onRequest(request, reply) {
        open(request, reply);
        request.actor = await identify(DOOR, request, reply, rules);
      },
      async handler(request, reply) {
        const { cutOff, gone } = disconnectOf(reply);
        const message = parseMessage(request);
        countMessages(message, request, reply);
        const call: McpCall<Context> = {
          actor: request.actor!,
          requestId: request.id,
          message,
          gone,
          stillAllowed: () => stillAllowed(request, rules),
          run: (operation, sent) => runInside(operation, sent, request, reply),
        };
        const body = message === undefined ? (request.body as Buffer<ArrayBuffer> | undefined) : undefined;
        return sendResponse(reply, await mcp.handle(webRequest(request, site.baseUrl, cutOff, body), call));
      },
    });
  });

  /** A batch, as older generations of the protocol have it, counts as the requests that it is. */
  function countMessages(message: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (!Array.isArray(message)) return;
    if (message.length > MAX_IN_BATCH) {
      throw new Problem(
        'payload_too_large',
        `The batch holds ${message.length.toLocaleString('en-US')} messages; at most ${MAX_IN_BATCH} are taken. Send them one by one.`,
      );
    }
    for (let index = 1; index < message.length; index += 1) {
      countRequest(request.actor, request, reply, rules.rateLimit);
    }
  }

  async function runInside(
    operation: Operation<Context>,
    sent: Record<string, unknown>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const { context, finish } = startCall(operation, 'mcp', request, reply, options, rules);
    const input = readInput(operation.input, sent);
    const prepared = await operation.prepare?.(input as never);
    const value = await runForValue(operation, context, input, prepared);
    finish();
    return value;
  }
}

/** Parsed here, since a body costs the library several times as much to read. */
function parseMessage({ body }: FastifyRequest): unknown {
  try {
    return Buffer.isBuffer(body) ? JSON.parse(body.toString('utf8')) : undefined;
  } catch {
    return undefined;
  }
}

function webRequest(
  request: FastifyRequest,
  baseUrl: string,
  signal: AbortSignal,
  body: Buffer<ArrayBuffer> | undefined,
): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  // The library looks for both types by name.
  if (acceptsAnything(request.headers.accept)) headers.set('accept', 'application/json, text/event-stream');
  return new Request(new URL(request.url, baseUrl), {
    method: request.method,
    headers,
    signal,
    ...(body !== undefined && { body }),
  });
}

/** No `Accept` means any type, and so does a wildcard. */
function acceptsAnything(accept: string | undefined): boolean {
  return (
    accept === undefined ||
    accept.split(',').some((part) => /^\*\/\*(;(?!\s*q=0(\.0*)?$)|$)/.test(part.trim()))
  );
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status).headers(Object.fromEntries(response.headers));
  reply.header('cache-control', 'no-store');
  if (response.body === null) return reply.send();
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    return reply.send(Buffer.from(await response.arrayBuffer()));
  }
  // Proxies that gather a reply before they pass it on would hold events back.
  reply.header('x-accel-buffering', 'no');
  return reply.send(await gather(response.body as ReadableStream<Uint8Array>));
}

/** Most streams are one event and their end: such a one leaves as a whole, which costs much less. */
async function gather(body: ReadableStream<Uint8Array>): Promise<Buffer | Readable> {
  const reader = body.getReader();
  const first = await reader.read();
  if (first.done) return Buffer.alloc(0);
  const second = reader.read();
  const turnEnds = new Promise<false>((resolve) => setImmediate(resolve, false));
  const isOver = await Promise.race([second.then(({ done }) => done), turnEnds]);
  return isOver ? Buffer.from(first.value) : Readable.from(piecesOf(reader, first.value, second));
}

async function* piecesOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  first: Uint8Array,
  second: ReturnType<typeof reader.read>,
): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await second; !next.done; next = await reader.read()) yield next.value;
  } finally {
    // Whoever writes to it learns that nobody reads any more.
    await reader.cancel();
  }
}
