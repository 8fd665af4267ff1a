/** What an operation is handed with one request, whichever way it is called. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findCaller, type IdentifyRules } from './identify.ts';
import { sessionCarrier } from './session-cookie.ts';
import type { ServerOptions } from './types.ts';

export interface OperationCall<Context> {
  context: Context;
  /** To be called once everything is written for good. */
  finish(): void;
}

export function startCall<Context>(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServerOptions<Context>,
  rules: IdentifyRules,
): OperationCall<Context> {
  const tasks: (() => void)[] = [];
  const context = options.createContext({
    actor: request.actor,
    requestId: request.id,
    log: options.log,
    client: { address: request.ip, userAgent: request.headers['user-agent'] ?? null },
    session: sessionCarrier(request, reply, options.site.baseUrl),
    afterCommit: (task) => void tasks.push(task),
    untilGone: () => goneSignal(reply, options.stopping),
    stillAllowed: () => stillAllowed(request, rules),
  });
  return {
    context,
    finish: () => {
      for (const task of tasks) task();
    },
  };
}

/** Fires when the connection closes before the reply was sent, or the service stops. */
export function goneSignal(reply: FastifyReply, stopping: AbortSignal): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, stopping]);
}

export async function stillAllowed(request: FastifyRequest, rules: IdentifyRules): Promise<boolean> {
  const caller = await findCaller(request, rules);
  return caller?.credentialId === request.actor?.credentialId;
}
