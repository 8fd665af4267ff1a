/** `/mcp`: hands requests of agents to the MCP endpoint, once it is known who calls. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { McpCall } from '../core/mcp-endpoint.ts';
import { type Operation, runForValue } from '../core/operation.ts';
import { readInput } from '../core/read-input.ts';
import { type Door, type IdentifyRules, identify } from './identify.ts';
import { goneSignal, startCall, stillAllowed } from './operation-call.ts';
import { readBytes } from './request-body.ts';
import type { ServerOptions } from './types.ts';

/** No cookie opens it: what a browser sends by itself is no agent's doing. */
const DOOR: Door = { name: '/mcp', accepts: ['key', 'oauth'], invitesSignIn: true };

export async function addMcp<Context>(
  server: FastifyInstance,
  options: ServerOptions<Context>,
  rules: IdentifyRules,
): Promise<void> {
  const { mcp, settings, site, stopping } = options;
  server.addHook('onClose', () => mcp.close());
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage) =>
      readBytes(payload, settings.bodyLimitBytes),
    );
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      config: { operation: 'mcp' },
      // A compressor gathers what it gets, and events must leave at once.
      compress: false,
      async onRequest(request, reply) {
        request.actor = await identify(DOOR, request, reply, rules);
      },
      async handler(request, reply) {
        const gone = goneSignal(reply, stopping);
        const call: McpCall<Context> = {
          actor: request.actor!,
          requestId: request.id,
          gone,
          stillAllowed: () => stillAllowed(request, rules),
          run: (operation, sent) => runInside(operation, sent, request, reply),
        };
        return sendResponse(reply, await mcp.handle(webRequest(request, site.baseUrl, gone), call));
      },
    });
  });

  async function runInside(
    operation: Operation<Context>,
    sent: Record<string, unknown>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const { context, finish } = startCall(request, reply, options, rules);
    const input = readInput(operation.input, sent);
    const prepared = await operation.prepare?.(input as never);
    const value = await runForValue(operation, context, input, prepared);
    finish();
    return value;
  }
}

function webRequest(request: FastifyRequest, baseUrl: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  const body = request.body as Buffer<ArrayBuffer> | undefined;
  return new Request(new URL(request.url, baseUrl), {
    method: request.method,
    headers,
    signal,
    ...(request.method === 'POST' && { body: body ?? '' }),
  });
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
  return reply.send(Readable.fromWeb(response.body as ReadableStream));
}
