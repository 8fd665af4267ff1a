/** The inbox: what is added to it, listing it and marking it as read. */
import { describe, expect, it } from 'vitest';
import {
  addComment,
  addEvent,
  addVersion,
  makePlan,
  type PlanRows,
} from '../../../test/helpers/rows/plan-rows.ts';
import { makePerson, makeUser, type Person } from '../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../test/helpers/service/harness.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { changeMember } from '../accounts/members/change-member.ts';
import { lockIdleCodeHosts } from '../code-hosts/index.ts';
import { createEventOutbox } from '../events/index.ts';
import { lockIdlePlans } from '../plans/index.ts';
import { lockIdlePullRequests } from '../pull-requests/index.ts';
import { getUnreadCount } from './get-unread-count.ts';
import { notifyPeople } from './index.ts';
import { listInbox } from './list-inbox.ts';
import { markInboxRead } from './mark-inbox-read.ts';

const service = await startTestService();
const { acme, clock, db, globex } = service;
const UNKNOWN = '0198c1f2-7a3b-7c4d-8e5f-0123456789ab';

let made = 0;
async function newPerson(organizationId = acme.id): Promise<Person> {
  made += 1;
  const user = { name: `P ${made}`, email: `p${made}@acme.example` };
  return makePerson(db, organizationId, await makeUser(db, user, clock.now()), 'viewer', clock.now());
}

const outbox = createEventOutbox({
  handlers: [notifyPeople],
  lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
  announce: () => undefined,
  log: createLog({ level: 'silent', terminal: false }),
});
const deliver = () => outbox.run(db, clock.now());
const inbox = async (person: Person, query: Record<string, unknown> = {}) => {
  await deliver();
  const answer = await service.call(listInbox, query, withSession(person));
  expect(answer.status).toBe(200);
  return answer.body;
};
const kinds = async (person: Person) => (await inbox(person)).items.map(({ kind }: { kind: string }) => kind);
const read = (person: Person, body: Record<string, unknown>) =>
  service.call(markInboxRead, body, withSession(person));

describe('an inbox item', () => {
  it('is created for a comment on my plan, with everything needed to find it', async () => {
    const [ada, bob] = [await newPerson(), await newPerson()];
    const plan = await makePlan(db, ada, { title: 'Move the queue' });
    const commentId = await addComment(db, plan, bob, { body: '🌙'.repeat(300) });
    expect(await inbox(ada)).toEqual({
      items: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          kind: 'comment',
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          readAt: null,
          plan: { seriesId: plan.seriesId, title: 'Move the queue', status: 'pending' },
          pullRequest: null,
          codeHost: null,
          actor: { id: bob.userId, name: bob.name },
          commentId,
          threadId: commentId,
          discussionId: null,
          findings: null,
          version: 1,
          excerpt: `${'🌙'.repeat(199)}…`,
        },
      ],
      unreadCount: 1,
      nextCursor: null,
    });
    expect(await inbox(bob)).toEqual({ items: [], unreadCount: 0, nextCursor: null });
  });

  it('is created for a reply in my thread, unless I muted it, and not for earlier replies', async () => {
    const [ada, bob, cyd, dee] = [await newPerson(), await newPerson(), await newPerson(), await newPerson()];
    const plan = await makePlan(db, ada);
    const opener = await addComment(db, plan, bob);
    const reply = await addComment(db, plan, cyd, { replyTo: opener });
    await addComment(db, plan, dee, { replyTo: reply });
    expect(await kinds(bob)).toEqual(['reply', 'reply']);
    expect(await kinds(cyd)).toEqual(['reply']);
    expect(await kinds(dee)).toEqual([]);
    expect(await kinds(ada)).toEqual(['comment', 'comment', 'comment']);

    await db
      .insertInto('plan_muted_threads')
      .values({
        user_id: bob.userId,
        thread_id: opener,
        plan_id: plan.id,
        organization_id: acme.id,
        created_at: clock.now(),
      })
      .execute();
    await addComment(db, plan, ada, { replyTo: reply });
    expect(await kinds(bob)).toHaveLength(2);
    expect(await kinds(cyd)).toHaveLength(2);
    const [item] = (await inbox(dee)).items;
    expect(item).toMatchObject({ kind: 'reply', threadId: opener });
  });

  it('is created for a review request, an approval and a change request, with note and version', async () => {
    const [ada, bob, cyd] = [await newPerson(), await newPerson(), await newPerson()];
    const plan = await makePlan(db, ada);
    const versionId = await addVersion(db, plan, cyd);
    await addEvent(db, plan, ada, 'review_requested', { userIds: [bob.userId, ada.userId] });
    await addEvent(db, plan, bob, 'changes_requested', {
      version: 2,
      versionId,
      reviewId: uuidv7(),
      note: 'Too long.',
    });
    await addEvent(db, plan, bob, 'approved', { version: 2, versionId, reviewId: uuidv7(), note: null });
    expect(await kinds(bob)).toEqual(['review_requested']);
    for (const person of [ada, cyd]) {
      expect((await inbox(person)).items).toMatchObject([
        { kind: 'approved', version: 2, excerpt: null, commentId: null, threadId: null },
        { kind: 'changes_requested', version: 2, excerpt: 'Too long.', actor: { id: bob.userId } },
      ]);
    }
  });

  it('is created for a new version of a plan I reviewed, was asked to review or commented on, unless it is unchanged', async () => {
    const [ada, bob, cyd, dee, eve] = await Promise.all(Array.from({ length: 5 }, () => newPerson()));
    const plan = await makePlan(db, ada!);
    const common = { plan_id: plan.id, organization_id: acme.id };
    await db
      .insertInto('plan_reviews')
      .values({
        ...common,
        id: uuidv7(),
        version_id: plan.versionId,
        user_id: bob!.userId,
        verdict: 'approved',
        created_at: clock.now(),
      })
      .execute();
    await db
      .insertInto('plan_review_requests')
      .values({ ...common, user_id: cyd!.userId, requested_by: ada!.userId, requested_at: clock.now() })
      .execute();
    await addComment(db, plan, dee!);
    await addVersion(db, plan, ada!, { unchanged: true });
    await addVersion(db, plan, ada!);
    for (const person of [bob!, cyd!, dee!]) expect(await kinds(person)).toEqual(['new_version']);
    expect((await inbox(bob!)).items[0]).toMatchObject({ version: 3 });
    expect(await kinds(eve!)).toEqual([]);
    expect(await kinds(ada!)).toEqual(['comment']);
  });

  it('is not created for deactivated people or for actions of the service', async () => {
    const [ada, bob] = [await newPerson(), await newPerson()];
    const plan = await makePlan(db, ada);
    await service.call(changeMember, { userId: ada.userId, active: false }, withSession(acme.owner));
    await addComment(db, plan, bob);
    await addEvent(db, plan, null, 'status_changed', {
      from: 'approved',
      to: 'implemented',
      reason: 'merged',
      note: null,
    });
    await deliver();
    const rows = await db.selectFrom('inbox_items').select('id').where('subject_id', '=', plan.id).execute();
    expect(rows).toEqual([]);
  });

  it('is created once, even if the event is handled again', async () => {
    const [ada, bob] = [await newPerson(), await newPerson()];
    const plan = await makePlan(db, ada);
    await addComment(db, plan, bob);
    await deliver();
    await db
      .insertInto('event_outbox')
      .values({ subject_kind: 'plan', subject_id: plan.id, organization_id: plan.organizationId, handled: 0 })
      .execute();
    expect(await kinds(ada)).toEqual(['comment']);
  });
});

/** A person with this many unread items about one plan. */
async function readerWith(count: number): Promise<{ reader: Person; plan: PlanRows; author: Person }> {
  const [reader, author] = [await newPerson(), await newPerson()];
  const plan = await makePlan(db, reader);
  for (let index = 0; index < count; index += 1) await addComment(db, plan, author, { body: `${index}` });
  await deliver();
  return { reader, plan, author };
}

describe('200', () => {
  it('returns items in pages, newest first, each once', async () => {
    const { reader } = await readerWith(7);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: { excerpt: string }[]; nextCursor: string | null } = await inbox(reader, {
        limit: 3,
        ...(cursor && { cursor }),
      });
      seen.push(...page.items.map(({ excerpt }) => excerpt));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual(['6', '5', '4', '3', '2', '1', '0']);
  });

  it('marks items as read, keeps the time, and filters by unread', async () => {
    const { reader } = await readerWith(3);
    const ids = (await inbox(reader)).items.map(({ id }: { id: string }) => id);
    const answer = await read(reader, { itemIds: [ids[0], ids[2], UNKNOWN, ids[0]] });
    expect([answer.status, answer.body]).toMatchObject([200, { unreadCount: 1 }]);
    const first = (await inbox(reader)).items;
    clock.advance(1000);
    await read(reader, { itemIds: ids });
    const second = (await inbox(reader)).items;
    expect(second[0].readAt).toBe(first[0].readAt);
    expect(second[1].readAt > first[0].readAt).toBe(true);
    expect((await inbox(reader, { unread: true })).items).toEqual([]);
    expect((await inbox(reader, { unread: false })).items).toHaveLength(3);
  });

  it('marks everything about one plan, or everything', async () => {
    const { author, reader } = await readerWith(2);
    const other = await makePlan(db, reader);
    await addComment(db, other, author);
    await addComment(db, other, author);
    await deliver();
    expect((await read(reader, { seriesId: other.seriesId })).body).toMatchObject({ unreadCount: 2 });
    expect((await inbox(reader, { unread: true })).items).toHaveLength(2);
    expect((await read(reader, { all: true })).body).toMatchObject({ unreadCount: 0 });
    expect((await service.call(getUnreadCount, {}, withSession(reader))).body).toEqual({ unreadCount: 0 });
  });

  it('undoes the last request, and nothing that was read before or by others', async () => {
    const { plan, reader } = await readerWith(3);
    const other = await newPerson();
    const ids = (await inbox(reader)).items.map(({ id }: { id: string }) => id);
    await read(reader, { itemIds: [ids[0]] });
    service.clock.advance(1000);
    const { readAt } = (await read(reader, { all: true })).body;
    expect((await read(other, { undo: readAt })).body).toEqual({ unreadCount: 0, readAt: null });
    expect((await read(reader, { undo: readAt })).body).toEqual({ unreadCount: 2, readAt: null });
    const unread = (await inbox(reader, { unread: true })).items.map(({ id }: { id: string }) => id);
    expect(unread).toEqual(ids.slice(1));
    expect((await read(reader, { undo: 'yesterday' })).status).toBe(400);
    expect((await read(reader, { undo: readAt, seriesId: plan.seriesId })).status).toBe(400);
  });

  it('counts up to 100', async () => {
    const { author, plan, reader } = await readerWith(99);
    const count = async () => (await service.call(getUnreadCount, {}, withSession(reader))).body.unreadCount;
    expect(await count()).toBe(99);
    for (let index = 0; index < 3; index += 1) await addComment(db, plan, author);
    await deliver();
    expect(await count()).toBe(100);
    expect((await inbox(reader, { limit: 1 })).unreadCount).toBe(100);
  });

  it('does not return or count items of a deleted plan', async () => {
    const { plan, reader } = await readerWith(2);
    await db.updateTable('plans').set({ status: 'deleted' }).where('id', '=', plan.id).execute();
    expect(await inbox(reader)).toEqual({ items: [], unreadCount: 0, nextCursor: null });
  });

  it('belongs to the caller: IDs of other people or organizations have no effect', async () => {
    const { plan, reader } = await readerWith(2);
    const ids = (await inbox(reader)).items.map(({ id }: { id: string }) => id);
    for (const stranger of [await newPerson(), globex.owner, acme.owner]) {
      for (const body of [{ itemIds: ids }, { seriesId: plan.seriesId }, { all: true }]) {
        expect((await read(stranger, body)).status).toBe(200);
      }
      expect((await inbox(stranger)).items).toEqual([]);
    }
    expect((await inbox(reader)).unreadCount).toBe(2);
  });

  it('keeps the inboxes of one person in two organizations apart', async () => {
    const { reader } = await readerWith(1);
    const user = { id: reader.userId, name: reader.name, email: reader.email };
    const elsewhere = await makePerson(db, globex.id, user, 'member', clock.now());
    expect((await inbox(elsewhere)).items).toEqual([]);
    await read(elsewhere, { all: true });
    expect((await inbox(reader)).unreadCount).toBe(1);
  });
});

describe('400', () => {
  it.each([
    ['nothing', {}],
    ['two at once', { all: true, seriesId: UNKNOWN }],
    ['false for all', { all: false }],
    ['no item', { itemIds: [] }],
    ['too many items', { itemIds: Array.from({ length: 201 }, () => UNKNOWN) }],
    ['an item that is no uuid', { itemIds: ['mine'] }],
  ])('marking as read needs exactly one target: not %s', async (_name, body) => {
    const answer = await read(acme.viewer, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  });

  it('a cursor of another list, and a filter that is neither true nor false', async () => {
    for (const query of [{ cursor: 'x' }, { unread: 'maybe' }]) {
      expect((await service.call(listInbox, query, withSession(acme.viewer))).status).toBe(400);
    }
  });
});

describe('401 and 403', () => {
  it('requires a session; keys are not accepted', async () => {
    for (const operation of [listInbox, getUnreadCount, markInboxRead]) {
      expect((await service.call(operation, {}, 'nobody')).status).toBe(401);
      const answer = await service.call(operation, {}, withKey(acme.member));
      expect([answer.status, answer.body.code]).toEqual([403, 'key_not_accepted']);
    }
  });
});
