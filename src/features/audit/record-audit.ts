/** Records who did what, in the same transaction as the change itself. */
import type { Context, PublicContext } from '../../context.ts';
import type { Db } from '../../platform/db/index.ts';
import { type AuditEntry, type AuditSource, insertAuditEvents } from './audit-store.ts';
import type { AUDIT_ACTIONS } from './contract.ts';

export type { AuditSource };
export type AuditAction = AuditEntry & { action: (typeof AUDIT_ACTIONS)[number] };

export function recordAudit(db: Db, source: AuditSource, action: AuditAction): Promise<void> {
  return insertAuditEvents(db, [source], action);
}

/** Records an action in several organizations, with one statement. */
export async function recordAuditInEach(db: Db, sources: AuditSource[], action: AuditAction): Promise<void> {
  if (sources.length > 0) await insertAuditEvents(db, sources, action);
}

/** The caller of an operation as the source of an audit record. */
export function callerOf(context: Context): AuditSource {
  const { actor } = context;
  return {
    ...placeOf(context),
    organizationId: actor.organizationId,
    kind: actor.kind,
    userId: actor.userId,
  };
}

/** Someone without a session, acting on an organization. */
export function anonymousSource(
  context: PublicContext,
  organizationId: string,
  userId: string | null,
): AuditSource {
  return { ...placeOf(context), organizationId, kind: 'anonymous', userId };
}

/** The operator's command on the host. */
export function operatorOf(organizationId: string, at: Date): AuditSource {
  return { organizationId, kind: 'operator', userId: null, address: null, requestId: null, at };
}

/** For what the service noticed, without a person who did it. */
export function serviceOf(organizationId: string, at: Date): AuditSource {
  return { organizationId, kind: 'service', userId: null, address: null, requestId: null, at };
}

function placeOf(context: PublicContext) {
  return { address: context.client.address, requestId: context.requestId, at: context.clock.now() };
}
