/** One operation as one Fastify route. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../core/actor.ts';
import type { FieldError } from '../core/errors.ts';
import { type Operation, readsQuery, runOperation } from '../core/operation.ts';
import { type IdentifyRules, identify } from './identify.ts';
import { inputReader } from './read-request.ts';
import type { JsonBody } from './request-body.ts';
import { sessionCarrier } from './session-cookie.ts';
import type { Reply, ServerOptions } from './types.ts';

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
      const context = options.createContext({
        actor: request.actor,
        requestId: request.id,
        log: options.log,
        client: { address: request.ip, userAgent: request.headers['user-agent'] ?? null },
        session: sessionCarrier(request, reply, options.site.baseUrl),
      });
      const run = async (runContext: Context): Promise<Reply> => {
        const output = await runOperation(operation, runContext, input);
        return { status: operation.http.status, body: output === undefined ? null : JSON.stringify(output) };
      };
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
              run,
            );
      return send(reply, answer);
    },
  });
}

function send(reply: FastifyReply, answer: Reply): FastifyReply {
  reply.code(answer.status).header('cache-control', 'no-store');
  if (answer.body === null) return reply.send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(answer.body);
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
