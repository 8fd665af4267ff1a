/** One operation as one Fastify route. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../core/actor.ts';
import type { FieldError } from '../core/errors.ts';
import { type Operation, runOperation } from '../core/operation.ts';
import { type IdentifyRules, identify } from './identify.ts';
import { inputReader } from './read-request.ts';
import type { JsonBody } from './request-body.ts';
import { sessionCarrier } from './session-cookie.ts';
import type { Reply, ServerOptions } from './types.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined;
    /** When it was decided who is calling. */
    identifiedMs: number;
  }
  interface FastifyContextConfig {
    operation?: string;
  }
}

/** A body may take its time to arrive; after this long it is asked again whether its sender is still welcome. */
const FRESH_MS = 250;

export function addRoute<Context>(
  server: FastifyInstance,
  operation: Operation<Context>,
  options: ServerOptions<Context>,
  identifyRules: IdentifyRules,
): void {
  const read = inputReader(operation as Operation);
  const identifyCaller = async (request: FastifyRequest, reply: FastifyReply) => {
    request.actor = await identify(operation as Operation, request, reply, identifyRules);
    request.identifiedMs = performance.now();
  };
  server.route({
    method: operation.http.method,
    url: operation.http.path,
    config: { operation: operation.name },
    onRequest: identifyCaller,
    handler: async (request, reply) => {
      if (performance.now() - request.identifiedMs > FRESH_MS) await identifyCaller(request, reply);
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
