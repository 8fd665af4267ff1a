/** The audit log over HTTP, by status; an action and its record are one transaction. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { tokenFrom } from '../../../test/helpers/service/sign-in-requests.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { acceptInvitation } from '../accounts/invitations/accept-invitation.ts';
import { inviteMember } from '../accounts/invitations/invite-member.ts';
import { changeMember } from '../accounts/members/change-member.ts';
import { changePassword } from '../accounts/sessions/change-password.ts';
import { listSessions } from '../accounts/sessions/list-sessions.ts';
import { signIn } from '../accounts/sessions/sign-in.ts';
import { createApiKey } from '../api-keys/create-api-key.ts';
import { revokeApiKey } from '../api-keys/revoke-api-key.ts';
import { AUDIT_ACTIONS } from './contract.ts';
import { operatorOf, recordAudit, recordAuditInEach } from './index.ts';
import { listAuditEvents } from './list-audit-events.ts';

const service = await startTestService();
const { acme, globex } = service;

interface Event {
  id: string;
  action: string;
  createdAt: string;
  actor: { kind: string; id: string | null; name: string | null };
}

const list = async (query: Record<string, unknown>, as = withSession(acme.admin)) => {
  const answer = await service.call(listAuditEvents, query, as);
  expect(answer.status).toBe(200);
  return answer.body as { events: Event[]; nextCursor: string | null };
};

/** Every page of a list, one after the other. */
async function pages(query: Record<string, unknown>): Promise<Event[]> {
  const events: Event[] = [];
  let cursor: string | null = null;
  do {
    const page = await list({ ...query, ...(cursor && { cursor }) });
    events.push(...page.events);
    cursor = page.nextCursor;
  } while (cursor);
  return events;
}

describe('200', () => {
  it('says who did what to whom, when, from where and in which request', async () => {
    const answer = await service.call(
      changeMember,
      { userId: acme.viewer.userId, role: 'member' },
      withSession(acme.owner),
    );
    const { events } = await list({ limit: 1 });
    expect(events).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        action: 'member.role_changed',
        actor: { kind: 'session', id: acme.owner.userId, name: acme.owner.name },
        subject: { id: acme.viewer.userId, name: acme.viewer.name },
        detail: { from: 'viewer', to: 'member' },
        address: '127.0.0.1',
        requestId: answer.headers.get('x-request-id'),
      },
    ]);
  });

  it('shows nothing of another organization', async () => {
    await service.call(createApiKey, { name: 'a key of Globex' }, withSession(globex.member));
    const ours = await pages({ limit: 200 });
    expect(JSON.stringify(ours)).not.toContain('Globex');
    const theirs = await list({ limit: 1 }, withSession(globex.owner));
    expect(theirs.events[0]).toMatchObject({
      action: 'api_key.created',
      actor: { id: globex.member.userId },
    });
    expect(await list({ userId: globex.member.userId })).toEqual({ events: [], nextCursor: null });
  });

  it('pages contain everything once, newest first, even if many events have the same time', async () => {
    const at = service.clock.now();
    for (let count = 0; count < 7; count += 1)
      await recordAudit(service.db, operatorOf(acme.id, at), {
        action: 'password.reset',
        subjectName: `${count}`,
      });
    const whole = (await list({ limit: 200 })).events;
    const inPages = await pages({ limit: 3 });
    expect(inPages).toEqual(whole);
    expect(new Set(inPages.map(({ id }) => id)).size).toBe(inPages.length);
    const times = inPages.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it('is filtered by action, by user, by time, and by all of them', async () => {
    const person = acme.member;
    service.clock.advance(60_000);
    const from = service.clock.now().toISOString();
    const made = await service.call(createApiKey, { name: 'one' }, withSession(person));
    await service.call(createApiKey, { name: 'two' }, withSession(acme.admin));
    service.clock.advance(60_000);
    const until = service.clock.now().toISOString();
    await service.call(revokeApiKey, { keyId: made.body.key.id }, withSession(person));

    const actions = async (query: Record<string, unknown>) =>
      (await pages(query)).map(({ action, actor }) => [action, actor.id]);
    expect(await actions({ from })).toEqual([
      ['api_key.revoked', person.userId],
      ['api_key.created', acme.admin.userId],
      ['api_key.created', person.userId],
    ]);
    expect(await actions({ from, until })).toHaveLength(2);
    expect(await actions({ from, action: 'api_key.created' })).toHaveLength(2);
    expect(await actions({ from, userId: person.userId, limit: 1 })).toHaveLength(2);
    expect(await actions({ from, until, userId: person.userId, action: 'api_key.created' })).toEqual([
      ['api_key.created', person.userId],
    ]);
    expect(await actions({ until: from, from: until })).toEqual([]);
    expect(await actions({ until, from: until.replace('Z', '+00:00') })).toEqual([]);
    expect((await pages({ until })).length).toBe((await pages({})).length - 1);
  });

  it('lists every action that the code records', async () => {
    for (const action of AUDIT_ACTIONS) {
      await recordAudit(service.db, operatorOf(acme.id, service.clock.now()), { action });
      const { events } = await list({ action, limit: 1 });
      expect(events[0]).toMatchObject({ action, actor: { kind: 'operator', id: null, name: null } });
    }
  });

  it('never contains a secret', async () => {
    const signedIn = await service.call(signIn, { email: acme.owner.email, password: PASSWORD }, 'nobody');
    const session = { session: tokenFrom(signedIn) };
    const key = await service.call(createApiKey, { name: 'x' }, session);
    const invitation = await service.call(inviteMember, { email: 'n@acme.example', role: 'viewer' }, session);
    const text = JSON.stringify(await pages({ limit: 200 }));
    for (const secret of [
      PASSWORD,
      session.session,
      key.body.secret.slice(8, -4),
      invitation.body.link.split('#token=')[1],
    ]) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('400', () => {
  it.each([
    ['an unknown action', { action: 'member.eaten' }, 'action'],
    ['a user who is no uuid', { userId: 'me' }, 'userId'],
    ['a time without its offset', { from: '2026-01-31T12:00:00' }, 'from'],
    ['a day alone', { until: '2026-01-31' }, 'until'],
    ['a day that does not exist', { until: '2026-02-30T00:00:00Z' }, 'until'],
    ['a year beyond what PostgreSQL holds', { from: '-271821-04-20T00:00:00.000Z' }, 'from'],
    ['words', { from: 'yesterday' }, 'from'],
    ['a number', { from: '1' }, 'from'],
    ['a cursor of another list', { cursor: cursorOf([uuidv7()]) }, 'cursor'],
    [
      'a cursor with a time that is none',
      { cursor: cursorOf(['9999-99-99T00:00:00.000Z', uuidv7()]) },
      'cursor',
    ],
    [
      'a cursor with a time beyond all bounds',
      { cursor: cursorOf(['-271821-04-20T00:00:00.000Z', uuidv7()]) },
      'cursor',
    ],
  ])('refuses %s', async (_name, query, path) => {
    const answer = await service.call(listAuditEvents, query, withSession(acme.admin));
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([400, path]);
  });
});

describe('403', () => {
  it.each(['viewer', 'member'] as const)('a %s does not see it', async (role) => {
    const person = role === 'viewer' ? globex.viewer : acme.member;
    const answer = await service.call(listAuditEvents, {}, withSession(person));
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
  });
});

describe('an action and its record', () => {
  it('succeed or fail together: if the record cannot be written, nothing is done', async () => {
    await sql`ALTER TABLE audit_events ADD CONSTRAINT refuse_all CHECK (false) NOT VALID`.execute(service.db);
    try {
      const keysBefore = await service.db.selectFrom('api_keys').selectAll().orderBy('id').execute();
      const sessionsBefore = await service.db.selectFrom('sessions').select('id').orderBy('id').execute();
      const deeds = [
        await service.call(createApiKey, { name: 'x' }, withSession(acme.owner)),
        await service.call(revokeApiKey, { keyId: acme.owner.keyId }, withSession(acme.owner)),
        await service.call(
          changeMember,
          { userId: acme.member.userId, active: false },
          withSession(acme.owner),
        ),
        await service.call(
          inviteMember,
          { email: 'z@acme.example', role: 'viewer' },
          withSession(acme.owner),
        ),
        await service.call(signIn, { email: acme.owner.email, password: PASSWORD }, 'nobody'),
      ];
      expect(deeds.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500]);
      expect(await service.db.selectFrom('api_keys').selectAll().orderBy('id').execute()).toEqual(keysBefore);
      expect(await service.db.selectFrom('sessions').select('id').orderBy('id').execute()).toEqual(
        sessionsBefore,
      );
      const invited = await service.db
        .selectFrom('invitations')
        .select('id')
        .where('email', '=', 'z@acme.example')
        .execute();
      expect(invited).toEqual([]);
    } finally {
      await sql`ALTER TABLE audit_events DROP CONSTRAINT refuse_all`.execute(service.db);
    }
  });

  it('are written by one transaction', async () => {
    const made = await service.call(createApiKey, { name: 'x' }, withSession(acme.owner));
    const { id: keyId } = made.body.key;
    expect(await transactionOf('api_keys', keyId)).toBe(await transactionOfRecord('api_key.created', keyId));
    await service.call(revokeApiKey, { keyId }, withSession(acme.owner));
    expect(await transactionOf('api_keys', keyId)).toBe(await transactionOfRecord('api_key.revoked', keyId));

    const invited = await service.call(
      inviteMember,
      { email: 'w@acme.example', role: 'viewer' },
      withSession(acme.owner),
    );
    const { id: invitationId } = invited.body.invitation;
    const invitation = () => transactionOf('invitations', invitationId);
    expect(await invitation()).toBe(await transactionOfRecord('invitation.created', invitationId));
    const token = invited.body.link.split('#token=')[1];
    const joined = await service.call(
      acceptInvitation,
      { token, name: 'W', password: 'a password of hers' },
      'nobody',
    );
    const { id: userId } = joined.body.user;
    expect(await invitation()).toBe(await transactionOfRecord('invitation.accepted', invitationId));
    expect(await transactionOf('users', userId)).toBe(await transactionOfRecord('member.added', userId));

    const signedIn = await service.call(
      signIn,
      { email: 'w@acme.example', password: 'a password of hers' },
      'nobody',
    );
    const session = { session: tokenFrom(signedIn) };
    const listed = await service.call(listSessions, {}, session);
    const current = listed.body.sessions.find((entry: { current: boolean }) => entry.current);
    expect(await transactionOf('sessions', current.id)).toBe(
      await transactionOfRecord('session.started', userId),
    );
    await service.call(
      changePassword,
      { currentPassword: 'a password of hers', newPassword: 'another of hers' },
      session,
    );
    expect(await transactionOf('users', userId)).toBe(await transactionOfRecord('password.changed', userId));
  });

  it('are both rolled back with the transaction', async () => {
    const source = operatorOf(acme.id, service.clock.now());
    const marker = uuidv7();
    await expect(
      inTransaction(service.db, async (transaction) => {
        await recordAuditInEach(transaction, [source, operatorOf(globex.id, source.at)], {
          action: 'password.reset',
          subjectId: marker,
        });
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    const rows = await service.db
      .selectFrom('audit_events')
      .select('id')
      .where('subject_id', '=', marker)
      .execute();
    expect(rows).toEqual([]);
  });
});

/** The transaction that wrote the row's present version. */
async function transactionOf(table: 'api_keys' | 'invitations' | 'sessions' | 'users', id: string) {
  const { rows } = await sql<{
    xmin: string;
  }>`SELECT xmin::text FROM ${sql.table(table)} WHERE id = ${id}`.execute(service.db);
  return rows[0]!.xmin;
}

async function transactionOfRecord(action: string, subjectId: string) {
  const { rows } = await sql<{ xmin: string }>`SELECT xmin::text FROM audit_events
    WHERE action = ${action} AND subject_id = ${subjectId}`.execute(service.db);
  expect(rows).toHaveLength(1);
  return rows[0]!.xmin;
}

function cursorOf(values: string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}
