/** One operation as one Fastify route. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../core/actor.ts';
import type { FieldError } from '../core/errors.ts';
import { type Operation, readsQuery, runOperation } from '../core/operation.ts';
import { findCaller, type IdentifyRules, identify } from './identify.ts';
import { inputReader } from './read-request.ts';
import type { JsonBody } from './request-body.ts';
import { sessionCarrier } from './session-cookie.ts';
import type { KeptReply, ServerOptions } from './types.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined;
    /** Whether the whole request had arrived before it was asked who is calling. */
    wasWhole: boolean;
  }
  interface FastifyContextConfig {
    operation?: string;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function addRoute<Context>(
  server: FastifyInstance,
  operation: Operation<Context>,
  options: ServerOptions<Context>,
  identifyRules: IdentifyRules,
): void {
  const read = inputReader(operation as Operation);
  const identifyCaller = async (request: FastifyRequest, reply: FastifyReply) => {
    request.wasWhole = request.raw.complete;
    request.actor = await identify(operation as Operation, request, reply, identifyRules);
  };
  server.route({
    method: operation.http.method,
    url: operation.http.path,
    config: { operation: operation.name },
    // A compressor gathers what it gets, and events must leave at once.
    ...(operation.http.eventStream && { compress: false }),
    async onRequest(request, reply) {
      // A body that came together with its headers is read in this turn of the event loop.
      if (!readsQuery(operation as Operation)) await new Promise(setImmediate);
      await identifyCaller(request, reply);
    },
    handler: async (request, reply) => {
      // A credential may have been revoked while the body was on its way.
      if (!request.wasWhole && !readsQuery(operation as Operation)) await identifyCaller(request, reply);
      const errors: FieldError[] = [];
      const key = operation.idempotent ? readIdempotencyKey(request, errors) : undefined;
      const input = read(request, errors);
      if (operation.http.eventStream) continueAfter(request, input);
      const tasks: (() => void)[] = [];
      const context = options.createContext({
        actor: request.actor,
        requestId: request.id,
        log: options.log,
        client: { address: request.ip, userAgent: request.headers['user-agent'] ?? null },
        session: sessionCarrier(request, reply, options.site.baseUrl),
        afterCommit: (task) => void tasks.push(task),
        untilGone: () => goneSignal(reply, options.stopping),
        stillAllowed: async () => {
          const caller = await findCaller(request, identifyRules);
          return caller?.credentialId === request.actor?.credentialId;
        },
      });
      const prepared = await operation.prepare?.(input as never);
      const run = (runContext: Context) => runOperation(operation, runContext, input, prepared);
      const answer =
        key === undefined
          ? await run(context)
          : await options.runOnce(
              {
                actor: request.actor!,
                key,
                target: `${operation.http.method} ${request.url}`,
                body: (request.body as JsonBody | undefined)?.bytes ?? Buffer.alloc(0),
              },
              context,
              run as (context: Context) => Promise<KeptReply>,
            );
      for (const task of tasks) task();
      const { body } = answer;
      if (body === null || typeof body === 'string') return send(reply, { ...answer, body });
      const pieces = Readable.from(body, { objectMode: false });
      pieces.on('error', (error) =>
        options.log.error({ requestId: request.id, err: error }, 'reply was cut off'),
      );
      return sendPieces(reply, answer.status, pieces, operation.http.eventStream === true);
    },
  });
}

/** A browser that lost the connection says by itself which event it saw last. */
function continueAfter(request: FastifyRequest, input: Record<string, unknown>): void {
  const last = request.headers['last-event-id'];
  if (typeof last === 'string' && /^\d{1,15}$/.test(last)) input.since = Number(last);
}

/** Fires when the connection closes before the reply was sent, or the service stops. */
function goneSignal(reply: FastifyReply, stopping: AbortSignal): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, stopping]);
}

function send(reply: FastifyReply, answer: KeptReply): FastifyReply {
  reply.code(answer.status).header('cache-control', 'no-store');
  if (answer.body === null) return reply.send();
  return reply.header('content-type', JSON_TYPE).send(answer.body);
}

/** At the pace of the client; a failure half-way cuts the reply off, so that nobody takes it for whole. */
function sendPieces(
  reply: FastifyReply,
  status: number,
  pieces: Readable,
  eventStream: boolean,
): FastifyReply {
  reply.code(status).header('cache-control', 'no-store');
  if (!eventStream) return reply.header('content-type', JSON_TYPE).send(pieces);
  // Proxies that gather a reply before they pass it on would hold events back.
  reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
  return reply.send(pieces);
}

function readIdempotencyKey(request: FastifyRequest, errors: FieldError[]): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length < 1 || key.length > 255) {
    errors.push({ path: 'Idempotency-Key', message: 'must have 1 to 255 characters' });
    return undefined;
  }
  return key;
}
