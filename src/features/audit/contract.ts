/** The shapes of the audit log. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/operations/page.ts';
import { timestamp, uuid } from '../../platform/core/operations/shapes.ts';

/** Every recorded action; the log can be filtered by it. */
export const AUDIT_ACTIONS = [
  'organization.created',
  'organization.exported',
  'discussion_labels.exported',
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
  'invitation_link.created',
  'invitation_link.revoked',
  'member.added',
  'member.role_changed',
  'member.deactivated',
  'member.reactivated',
  'member.deleted',
  'member.suspended',
  'member.unsuspended',
  'single_sign_on.changed',
  'single_sign_on.linked',
  'single_sign_on.unlinked',
  'single_sign_on.link_allowed',
  'single_sign_on.switched_off',
  'single_sign_on.switched_on',
  'switch.moved',
  'excluded_paths.changed',
  'merge_rule.created',
  'merge_rule.changed',
  'merge_rule.deleted',
  'model.changed',
  'reviewer.created',
  'reviewer.changed',
  'reviewer.version_activated',
  'reviewer.switched',
  'reviewer.deleted',
  'dismissal.undone',
  'plan.deleted',
  'team.created',
  'team.changed',
  'team.members_changed',
  'team.deleted',
  'team.watching_changed',
  'pull_request.rule_bypassed',
  'pull_request.review_dismissed',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.secret_rotated',
  'repository.added',
  'repository.changed',
  'repository.removed',
  'repository.refreshed',
  'repository.push_url_shown',
  'repository.review_settings_changed',
  'code_host.connected',
  'code_host.changed',
  'code_host.disconnected',
  'code_host.repository_added',
  'code_host.repository_changed',
  'code_host.pattern_added',
  'code_host.pattern_removed',
  'code_host.account_linked',
  'code_host.account_unlinked',
  'code_host.credential_refused',
  'job.run_again',
] as const;

/** RFC 3339 with an offset. `Date.parse` accepts more, but that is ambiguous or outside the range of PostgreSQL. */
const moment = () => z.iso.datetime({ offset: true, error: 'must be a time such as 2026-01-31T12:00:00Z' });

export const ExportAuditEventsInput = z.object({
  action: z.enum(AUDIT_ACTIONS).optional(),
  userId: uuid().optional().describe('Only events caused by this user.'),
  from: moment().optional().describe('Only events at or after this time.'),
  until: moment().optional().describe('Only events before this time.'),
});
export const ListAuditEventsInput = ExportAuditEventsInput.extend(PAGE_INPUT);
export const AuditCsv = z.string().describe('CSV (RFC 4180) in UTF-8, with a header line.');

export const AuditEvent = z
  .object({
    id: uuid(),
    createdAt: timestamp(),
    action: z
      .string()
      .describe('One of the actions that the list can be filtered by. New actions may be added.'),
    actor: z.object({
      kind: z.enum(['key', 'session', 'oauth', 'operator', 'anonymous', 'service']),
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
