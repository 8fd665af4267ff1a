/** Turns an operation into a Fastify route. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FieldError, Problem } from '../../platform/core/errors/errors.ts';
import type { Actor } from '../../platform/core/operations/actor.ts';
import {
  type ImageFile,
  type Operation,
  readsQuery,
  restCredentials,
  runOperation,
} from '../../platform/core/operations/operation.ts';
import type { Span } from '../../platform/core/telemetry/tracing.ts';
import type { Work } from '../../platform/core/work/work.ts';
import { countRequest, countSigned, type IdentifyRules, identify } from './access/identify.ts';
import { type IncomingBody, LARGE_BODY_BYTES } from './bytes-in-flight.ts';
import { startCall } from './operation-call.ts';
import type { WantedJson } from './parse-json.ts';
import { inputReader, wantedJson } from './read-request.ts';
import type { JsonBody } from './request-body.ts';
import type { KeptReply, ServerParts } from './types.ts';
import { pathOf } from './unknown-path.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined;
    /** Whether the request had arrived completely before the caller was authenticated. */
    wasComplete: boolean;
    work: Work | undefined;
    /** Undefined until the caller is authenticated. */
    incoming: IncomingBody | undefined;
    /** Whose signed body it is, as named by the path; undefined unless there is such a sender. */
    sender: string | undefined;
    /** Undefined unless requests are traced. */
    span: Span | undefined;
  }
  interface FastifyContextConfig {
    operation?: string;
    signedBody?: 'small' | 'large';
    wanted?: WantedJson;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function addRoute<Context>(
  server: FastifyInstance,
  operation: Operation<Context>,
  options: ServerParts<Context>,
  identifyRules: IdentifyRules,
): void {
  const read = inputReader(operation as Operation, options.settings);
  const access = {
    name: `${operation.http.method} ${operation.http.path}`,
    accepts: restCredentials(operation as Operation),
  };
  const { signedBody } = operation.http;
  // A signature that was checked is a credential without a limit.
  const rules = signedBody ? { ...identifyRules, rateLimit: undefined } : identifyRules;
  const isRead = readsQuery(operation as Operation);
  const takesBody = operation.http.method !== 'GET';
  const identifyCaller = async (request: FastifyRequest, reply: FastifyReply) => {
    request.wasComplete = request.raw.complete;
    request.actor = await identify(access, request, reply, rules);
  };
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      const { context } = startCall(operation, 'rest', request, reply, options, identifyRules);
      await operation.admit!(context, read(request, []) as never);
    } catch (error) {
      if (isRefusal(error)) countRequest(undefined, request, reply, identifyRules.rateLimit);
      throw error;
    }
    request.sender = pathOf(request);
    // A small body is always read: a forger must not get genuine ones refused.
    if (mayBeLarge(request)) countSigned(request, reply, identifyRules.rateLimit, false);
  };
  server.route({
    method: operation.http.method,
    url: operation.http.path,
    config: {
      operation: operation.name,
      ...(signedBody ? { signedBody } : takesBody && { wanted: wantedJson(operation as Operation) }),
    },
    // Compression buffers its input, and events must be sent immediately.
    ...(operation.http.eventStream && { compress: false }),
    onRequest: !takesBody
      ? identifyCaller
      : async (request, reply) => {
          // A body that arrived with its headers is read in this turn of the event loop.
          await new Promise(setImmediate);
          await identifyCaller(request, reply);
          if (signedBody) await admit(request, reply);
          request.incoming = options.inFlight.open(request, reply, request.sender);
        },
    handler: async (request, reply) => {
      // The credential may have been revoked while the body was being received.
      if (!request.wasComplete && !isRead) await identifyCaller(request, reply);
      const { context, finish } = startCall(operation, 'rest', request, reply, options, identifyRules);
      const errors: FieldError[] = [];
      const key = operation.idempotent ? readIdempotencyKey(request, errors) : undefined;
      const input = read(request, errors);
      if (operation.http.eventStream) continueAfter(request, input);
      const prepared = await operation.prepare?.(context, input as never);
      const run = (runContext: Context) => runOperation(operation, runContext, input, prepared);
      const answer =
        key === undefined
          ? await run(context).catch((error: unknown) => {
              if (signedBody && isRefusal(error)) countSigned(request, reply, identifyRules.rateLimit, true);
              throw error;
            })
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
      finish();
      const { body } = answer;
      if (body === null || typeof body === 'string') return send(reply, { ...answer, body });
      if ('bytes' in body) return sendImage(reply, answer.status, body);
      const pieces = Readable.from(body, { objectMode: false });
      pieces.on('error', (error) =>
        options.log.error({ requestId: request.id, err: error }, 'reply was cut off'),
      );
      return sendPieces(reply, answer.status, pieces, operation.http);
    },
  });
}

function mayBeLarge({ headers }: FastifyRequest): boolean {
  return !(Number(headers['content-length']) <= LARGE_BODY_BYTES);
}

function isRefusal(error: unknown): boolean {
  return error instanceof Problem && error.status < 500;
}

/** A browser that reconnects sends the id of the last event it received. */
function continueAfter(request: FastifyRequest, input: Record<string, unknown>): void {
  const last = request.headers['last-event-id'];
  if (typeof last === 'string' && /^\d{1,15}$/.test(last)) input.since = Number(last);
}

function send(reply: FastifyReply, answer: KeptReply): FastifyReply {
  reply.code(answer.status).header('cache-control', 'no-store');
  if (answer.body === null) return reply.send();
  return reply.header('content-type', JSON_TYPE).send(answer.body);
}

/** Browsers show it and never run it: the headers of every reply forbid guessing another type. The person alone may keep it for a while. */
function sendImage(reply: FastifyReply, status: number, { bytes, mediaType }: ImageFile): FastifyReply {
  return reply
    .code(status)
    .headers({ 'cache-control': 'private, max-age=600', 'content-type': mediaType })
    .send(bytes);
}

/** Streams at the client's pace. A failure midway aborts the connection, so that no client mistakes the reply for complete. */
function sendPieces(
  reply: FastifyReply,
  status: number,
  pieces: Readable,
  { download, eventStream }: Operation['http'],
): FastifyReply {
  reply.code(status).header('cache-control', 'no-store');
  if (download) {
    const disposition = `attachment; filename="${download.fileName}"`;
    return reply
      .headers({ 'content-type': download.contentType, 'content-disposition': disposition })
      .send(pieces);
  }
  if (!eventStream) return reply.header('content-type', JSON_TYPE).send(pieces);
  // Proxies that buffer replies would delay events.
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
