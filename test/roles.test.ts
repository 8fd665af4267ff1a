/** Every operation against every role: who is let through and who gets 403, as one table. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { operations } from '../src/operations.ts';
import { hasRole, ROLES, type Role } from '../src/platform/core/actor.ts';
import { type Organization, PASSWORD } from './factories.ts';
import { startTestService, withKey, withSession } from './harness.ts';

const service = await startTestService();
const { acme } = service;
const UNKNOWN = '0198c1f2-7a3b-7c4d-8e5f-0123456789ab';

/**
 * The least role of each operation (`nobody`: no credential is needed), and an input that passes validation but
 * changes little: the roles are judged before anything is looked up.
 */
const TABLE: Record<
  string,
  { least: Role | 'nobody'; input?: (of: Organization) => Record<string, unknown> }
> = {
  'record-session-event': { least: 'member', input: () => ({ sessionId: UNKNOWN, eventType: 'x' }) },
  'submit-plan': {
    least: 'member',
    input: () => ({ seriesKey: randomUUID(), content: 'x', agentVendor: 'codex' }),
  },
  'list-plan-comments': { least: 'viewer', input: () => ({ seriesId: UNKNOWN }) },
  'add-plan-comment': {
    least: 'member',
    input: () => ({ seriesId: UNKNOWN, versionId: UNKNOWN, body: 'x' }),
  },
  'change-plan-comment': {
    least: 'member',
    input: () => ({ seriesId: UNKNOWN, commentId: UNKNOWN, triageState: 'open' }),
  },
  'link-pull-request': { least: 'member', input: () => ({ seriesId: UNKNOWN, prNumber: 1 }) },
  'list-plans': { least: 'viewer' },
  'get-plan': { least: 'viewer', input: () => ({ seriesId: UNKNOWN }) },
  'get-plan-version': { least: 'viewer', input: () => ({ seriesId: UNKNOWN, version: 1 }) },
  'compare-plan-versions': { least: 'viewer', input: () => ({ seriesId: UNKNOWN, from: 1, to: 2 }) },
  'list-plan-threads': { least: 'viewer', input: () => ({ seriesId: UNKNOWN }) },
  'mute-plan-thread': { least: 'viewer', input: () => ({ seriesId: UNKNOWN, threadId: UNKNOWN }) },
  'unmute-plan-thread': { least: 'viewer', input: () => ({ seriesId: UNKNOWN, threadId: UNKNOWN }) },
  'approve-plan': { least: 'member', input: () => ({ seriesId: UNKNOWN, versionId: UNKNOWN }) },
  'request-plan-changes': {
    least: 'member',
    input: () => ({ seriesId: UNKNOWN, versionId: UNKNOWN, note: 'x' }),
  },
  'withdraw-plan-approval': { least: 'member', input: () => ({ seriesId: UNKNOWN }) },
  'mark-plan-implemented': { least: 'member', input: () => ({ seriesId: UNKNOWN }) },
  'close-plan': { least: 'member', input: () => ({ seriesId: UNKNOWN }) },
  'reopen-plan': { least: 'member', input: () => ({ seriesId: UNKNOWN }) },
  'delete-plan': { least: 'member', input: () => ({ seriesId: UNKNOWN }) },
  'request-plan-review': { least: 'member', input: () => ({ seriesId: UNKNOWN, userIds: [UNKNOWN] }) },
  'list-plan-activity': { least: 'viewer', input: () => ({ seriesId: UNKNOWN }) },
  'list-overlapping-plans': { least: 'viewer', input: () => ({ seriesId: UNKNOWN }) },
  'wait-for-plan-changes': { least: 'viewer', input: () => ({ seriesId: UNKNOWN }) },
  'stream-plan-changes': { least: 'viewer', input: () => ({ seriesId: UNKNOWN }) },
  'get-planner-session': { least: 'viewer', input: () => ({ sessionId: UNKNOWN }) },
  'list-inbox': { least: 'viewer' },
  'mark-inbox-read': { least: 'viewer', input: () => ({ all: true }) },
  'get-unread-count': { least: 'viewer' },
  'list-webhooks': { least: 'admin' },
  'create-webhook': { least: 'admin', input: () => ({ url: 'https://127.0.0.1/x' }) },
  'change-webhook': { least: 'admin', input: () => ({ webhookId: UNKNOWN, enabled: false }) },
  'delete-webhook': { least: 'admin', input: () => ({ webhookId: UNKNOWN }) },
  'rotate-webhook-secret': { least: 'admin', input: () => ({ webhookId: UNKNOWN }) },
  'list-webhook-deliveries': { least: 'admin', input: () => ({ webhookId: UNKNOWN }) },
  'get-webhook-delivery': { least: 'admin', input: () => ({ webhookId: UNKNOWN, deliveryId: UNKNOWN }) },
  'resend-webhook-delivery': { least: 'admin', input: () => ({ webhookId: UNKNOWN, deliveryId: UNKNOWN }) },
  'search-files': { least: 'viewer', input: () => ({ repository: 'none', pattern: '*' }) },
  'grep-code': { least: 'viewer', input: () => ({ repository: 'none', pattern: 'x', path: '' }) },
  'search-code': { least: 'viewer', input: () => ({ repository: 'none', pattern: 'x' }) },
  'read-file': { least: 'viewer', input: () => ({ repository: 'none', path: 'x' }) },
  'list-tree': { least: 'viewer', input: () => ({ repository: 'none' }) },
  'list-repositories': { least: 'viewer' },
  'add-repository': { least: 'admin', input: () => ({ url: 'https://127.0.0.1/x/y.git' }) },
  'get-repository': { least: 'viewer', input: () => ({ repositoryId: UNKNOWN }) },
  'change-repository': { least: 'admin', input: () => ({ repositoryId: UNKNOWN, name: 'x/y' }) },
  'remove-repository': { least: 'admin', input: () => ({ repositoryId: UNKNOWN }) },
  'refresh-repository': { least: 'admin', input: () => ({ repositoryId: UNKNOWN }) },
  'list-refs': { least: 'viewer', input: () => ({ repositoryId: UNKNOWN }) },
  'get-push-url': { least: 'admin', input: () => ({ repositoryId: UNKNOWN }) },
  'note-push': { least: 'nobody', input: () => ({ repositoryId: UNKNOWN, token: 'x' }) },
  'list-switches': { least: 'viewer' },
  'change-switch': { least: 'admin', input: () => ({ key: 'self_approval', enabled: false }) },
  'get-setup-state': { least: 'nobody' },
  'set-up': {
    least: 'nobody',
    input: () => ({
      token: 'x',
      organizationName: 'x',
      name: 'x',
      email: 'x@x.example',
      password: 'x'.repeat(8),
    }),
  },
  'sign-in': { least: 'nobody', input: () => ({ email: 'x@x.example', password: 'x' }) },
  'get-session': { least: 'viewer' },
  'sign-out': { least: 'viewer' },
  'switch-organization': { least: 'viewer', input: () => ({ organizationId: UNKNOWN }) },
  'change-password': {
    least: 'viewer',
    input: () => ({ currentPassword: PASSWORD, newPassword: 'short' }),
  },
  'list-sessions': { least: 'viewer' },
  'revoke-session': { least: 'viewer', input: () => ({ sessionId: UNKNOWN }) },
  'look-up-invitation': { least: 'nobody', input: () => ({ token: 'x' }) },
  'accept-invitation': { least: 'nobody', input: () => ({ token: 'x', password: 'x'.repeat(8) }) },
  'create-api-key': { least: 'viewer', input: () => ({ name: 'x' }) },
  'list-api-keys': { least: 'viewer' },
  'revoke-api-key': { least: 'viewer', input: () => ({ keyId: UNKNOWN }) },
  'get-agent-sign-in': { least: 'viewer', input: () => ({ signInId: 'x' }) },
  'answer-agent-sign-in': { least: 'viewer', input: () => ({ signInId: 'x', allow: false }) },
  'list-agents': { least: 'viewer' },
  'revoke-agent': { least: 'viewer', input: () => ({ agentId: UNKNOWN }) },
  'list-members': { least: 'viewer' },
  'change-member': { least: 'admin', input: () => ({ userId: UNKNOWN, role: 'viewer' }) },
  'invite-member': { least: 'admin', input: () => ({ email: 'new@acme.example', role: 'viewer' }) },
  'list-invitations': { least: 'admin' },
  'revoke-invitation': { least: 'admin', input: () => ({ invitationId: UNKNOWN }) },
  'list-audit-events': { least: 'admin' },
};

/** Signing out comes last: it ends the session that the other rows use. */
const rows = operations
  .map((operation) => ({ operation, ...TABLE[operation.name]! }))
  .sort(
    (left, right) => Number(left.operation.name === 'sign-out') - Number(right.operation.name === 'sign-out'),
  );

it('knows every operation, so that none is added without deciding who may call it', () => {
  expect(Object.keys(TABLE).sort()).toEqual(operations.map(({ name }) => name).sort());
});

describe.each(rows)('$operation.name', ({ operation, least, input }) => {
  const send = (as: Parameters<typeof service.call>[2]) => service.call(operation, input?.(acme) ?? {}, as);

  if (least === 'nobody') {
    it('needs no credential', async () => {
      const { body, status } = await send('nobody');
      expect([status < 500, body.code === 'unauthenticated', status === 403]).toEqual([true, false, false]);
    });
    return;
  }

  it('is closed to those without a credential: 401', async () => {
    const answer = await send('nobody');
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
    expect(answer.headers.get('www-authenticate')).not.toBeNull();
  });

  it.each(ROLES)('is open to %s exactly from its least role on', async (role) => {
    const credential = operation.accepts.includes('session') ? withSession : withKey;
    const answer = await send(credential(acme[role]));
    const refused = answer.status === 403 && answer.body.code === 'forbidden';
    expect([answer.status < 500, answer.status === 401, refused]).toEqual([
      true,
      false,
      !hasRole(role, least),
    ]);
  });

  if (!operation.accepts.includes('key')) {
    it('accepts no key, whatever role is behind it: 403 key_not_accepted', async () => {
      for (const role of ROLES) {
        const answer = await send(withKey(acme[role]));
        expect([answer.status, answer.body.code]).toEqual([403, 'key_not_accepted']);
      }
    });
  }
});
