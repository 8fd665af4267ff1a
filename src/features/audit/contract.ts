/** The audit log's shapes. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/page.ts';
import { timestamp, uuid } from '../../platform/core/shapes.ts';

/** Every action that is recorded; the log can be filtered by it. */
export const AUDIT_ACTIONS = [
  'organization.created',
  'session.started',
  'session.refused',
  'session.ended',
  'session.revoked',
  'password.changed',
  'password.reset',
  'profile.changed',
  'api_key.created',
  'api_key.revoked',
  'agent.signed_in',
  'agent.revoked',
  'invitation.created',
  'invitation.revoked',
  'invitation.accepted',
  'member.added',
  'member.role_changed',
  'member.deactivated',
  'member.reactivated',
  'switch.moved',
  'plan.deleted',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.secret_rotated',
  'repository.added',
  'repository.changed',
  'repository.removed',
  'repository.refreshed',
  'repository.push_url_shown',
] as const;

/** RFC 3339 with its offset: what `Date.parse` takes beyond that is ambiguous, or further off than PostgreSQL can hold. */
const moment = () => z.iso.datetime({ offset: true, error: 'must be a time such as 2026-01-31T12:00:00Z' });

export const ExportAuditEventsInput = z.object({
  action: z.enum(AUDIT_ACTIONS).optional(),
  userId: uuid().optional().describe('Only what this user did.'),
  from: moment().optional().describe('Only what happened at or after this time.'),
  until: moment().optional().describe('Only what happened before this time.'),
});
export const ListAuditEventsInput = ExportAuditEventsInput.extend(PAGE_INPUT);
export const AuditCsv = z
  .string()
  .describe('CSV (RFC 4180) in UTF-8, with the names of the columns in the first line.');

export const AuditEvent = z
  .object({
    id: uuid(),
    createdAt: timestamp(),
    action: z.string().describe('One of those that the list can be filtered by; more may come.'),
    actor: z.object({
      kind: z.enum(['key', 'session', 'oauth', 'operator', 'anonymous']),
      id: uuid().nullable(),
      name: z.string().nullable(),
    }),
    subject: z.object({ id: uuid().nullable(), name: z.string().nullable() }),
    detail: z.record(z.string(), z.unknown()),
    address: z.string().nullable(),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'AuditEvent' });

export const AuditEventPage = z
  .object({ events: z.array(AuditEvent), nextCursor: nextCursorShape() })
  .meta({ id: 'AuditEventPage' });
