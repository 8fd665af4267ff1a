/** Builds the context that an operation receives with each call, over REST or MCP. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasRole } from '../../platform/core/operations/actor.ts';
import { authorize, type Operation, type Transport } from '../../platform/core/operations/operation.ts';
import { findCaller, type IdentifyRules } from './access/identify.ts';
import { SessionCarrier } from './access/session-cookie.ts';
import type { JsonBody } from './request-body.ts';
import type { ServerParts } from './types.ts';

export interface OperationCall<Context> {
  context: Context;
  /** Runs the after-commit tasks; call it once everything is committed. */
  finish(): void;
}

/** Throws a `Problem` when the caller may not run the operation over this transport. */
export function startCall<Context>(
  operation: Operation<Context>,
  transport: Transport,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServerParts<Context>,
  rules: IdentifyRules,
): OperationCall<Context> {
  authorize(operation as Operation, request.actor, transport);
  const tasks: (() => void)[] = [];
  const context = options.createContext({
    actor: request.actor,
    requestId: request.id,
    log: options.log,
    client: { address: request.ip, userAgent: request.headers['user-agent'] ?? null },
    session: new SessionCarrier(request, reply, options.site.baseUrl),
    received: operation.http.signedBody && {
      headers: request.headers,
      body: (request.body as JsonBody | undefined)?.bytes ?? Buffer.alloc(0),
    },
    afterCommit: (task) => void tasks.push(task),
    disconnected: () => options.disconnectOf(reply).gone,
    stillAllowed: () => stillAllowed(request, rules),
  });
  return {
    context,
    finish: () => {
      for (const task of tasks) task();
    },
  };
}

/** Also false once the caller's role is lowered: the running operation was authorized with the earlier role. */
export async function stillAllowed(request: FastifyRequest, rules: IdentifyRules): Promise<boolean> {
  const caller = await findCaller(request, rules);
  const { actor } = request;
  if (!caller || !actor) return caller === actor;
  return caller.credentialId === actor.credentialId && hasRole(caller.role, actor.role);
}
