/** `/mcp`: authenticates the caller and passes the request to the MCP endpoint. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream, ReadableStreamDefaultReader } from 'node:stream/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { type Operation, runForValue } from '../../../platform/core/operations/operation.ts';
import { readInput } from '../../../platform/core/operations/read-input.ts';
import type { McpCall } from '../../../platform/core/ports/mcp-endpoint.ts';
import { countRequest, type EndpointAccess, type IdentifyRules, identify } from '../access/identify.ts';
import { LARGE_BODY_BYTES } from '../bytes-in-flight.ts';
import { startCall, stillAllowed } from '../operation-call.ts';
import { readBytes } from '../request-body.ts';
import type { ServerParts } from '../types.ts';
import { isForeignPage } from './agent-origin.ts';

/** Cookies are not accepted: browsers send them without the agent's doing. */
const ACCESS: EndpointAccess = { name: '/mcp', accepts: ['key', 'oauth'], offersSignIn: true };

const METHODS = ['GET', 'POST', 'DELETE'] as const;

/** Newer protocol versions have no batches, and older clients rarely use them. */
const MAX_IN_BATCH = 20;

/** Agents run in browsers too. An allowed page still needs its own key or token. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'www-authenticate, mcp-protocol-version, mcp-session-id, x-request-id, retry-after',
};
const PREFLIGHT = {
  'access-control-allow-methods': METHODS.join(', '),
  // The wildcard covers every header except Authorization.
  'access-control-allow-headers': '*, Authorization',
  'access-control-max-age': '86400',
};

export async function addMcp<Context>(
  server: FastifyInstance,
  options: ServerParts<Context>,
  rules: IdentifyRules,
): Promise<void> {
  const { disconnectOf, inFlight, jsonWork, mcp, settings, site } = options;
  server.addHook('onClose', () => mcp.close());
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
      readBytes(payload, settings.bodyLimitBytes, request.incoming!),
    );
    const open = (request: FastifyRequest, reply: FastifyReply) => {
      if (isForeignPage(request.headers.origin, site.baseUrl, settings.mcpAllowedOrigins)) {
        countRequest(undefined, request, reply, rules.rateLimit);
        throw new Problem(
          'cross_origin',
          'This request came from another site. The operator can allow that site with MCP_ALLOWED_ORIGINS.',
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
      // Compression buffers its input, and events must be sent immediately.
      compress: false,
      async onRequest(request, reply) {
        open(request, reply);
        request.actor = await identify(ACCESS, request, reply, rules);
        request.incoming = inFlight.open(request, reply);
      },
      async handler(request, reply) {
        const { cutOff, gone } = disconnectOf(reply);
        const message = await parseMessage(request);
        countMessages(message, request, reply);
        const call: McpCall<Context> = {
          actor: request.actor!,
          requestId: request.id,
          message,
          gone,
          stillAllowed: () => stillAllowed(request, rules),
          run: (operation, sent) => runInside(operation, sent, request, reply),
        };
        const body = message === undefined ? invalidBody(request) : undefined;
        return sendResponse(reply, await mcp.handle(webRequest(request, site.baseUrl, cutOff, body), call));
      },
    });
  });

  /** Each message of a batch (older protocol versions) counts toward the rate limit. */
  function countMessages(message: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (!Array.isArray(message)) return;
    if (message.length > MAX_IN_BATCH) {
      throw new Problem(
        'payload_too_large',
        `The batch has ${message.length.toLocaleString('en-US')} messages; the limit is ${MAX_IN_BATCH}. Send them separately.`,
      );
    }
    for (let index = 1; index < message.length; index += 1) {
      countRequest(request.actor, request, reply, rules.rateLimit);
    }
  }

  /** Parsed here because the library takes several times as long to read a body. */
  async function parseMessage({ actor, body }: FastifyRequest): Promise<unknown> {
    if (!Buffer.isBuffer(body)) return undefined;
    if (body.length > LARGE_BODY_BYTES) return jsonWork.message(body, actor!);
    try {
      return JSON.parse(body.toString('utf8'));
    } catch {
      return undefined;
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
    const prepared = await operation.prepare?.(context, input as never);
    const value = await runForValue(operation, context, input, prepared);
    finish();
    return value;
  }
}

/** The library answers what is not valid JSON. It would parse a large body again, and any other says the same. */
function invalidBody({ body }: FastifyRequest): Buffer<ArrayBuffer> | undefined {
  if (!Buffer.isBuffer(body)) return undefined;
  return body.length > LARGE_BODY_BYTES ? Buffer.from('{') : (body as Buffer<ArrayBuffer>);
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
  // The library requires both types by name.
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
  // Proxies that buffer replies would delay events.
  reply.header('x-accel-buffering', 'no');
  return reply.send(await gather(response.body as ReadableStream<Uint8Array>));
}

/** Most streams have a single event: sending it as one buffer costs much less. */
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
    // Tells the writer that the client has disconnected.
    await reader.cancel();
  }
}
