/** What people do with a plan: approve, ask for changes, withdraw, close, reopen, mark implemented, delete. */
import { describe, expect, it } from 'vitest';
import { makePerson, makeUser } from '../../../test/factories.ts';
import { startTestService, withKey, withSession } from '../../../test/harness.ts';
import {
  act,
  activityOf,
  postComment,
  postPlan,
  postVersion,
  read,
  SAMPLE_PLAN,
} from '../../../test/plans.ts';
import { untilWaiting } from '../../../test/waiting.ts';
import { uuidv7 } from '../../platform/core/uuid.ts';
import { insertMembership } from '../accounts/account-store.ts';
import { changeSwitch } from '../switches/change-switch.ts';
import { linkPullRequest } from './link-pull-request.ts';
import { submitPlan } from './submit-plan.ts';

const service = await startTestService();
const { acme, clock, db, globex } = service;
const { admin, member, owner, viewer } = acme;
const colleague = await makePerson(
  db,
  acme.id,
  await makeUser(db, { name: 'Colleague', email: 'colleague@acme.example' }, clock.now()),
  'member',
  clock.now(),
);

const plan = async () => (await postPlan(service, member)).body;
const statusOf = async (of: { seriesId: string }) => (await read(service, member, of)).body.status;

describe('approve', () => {
  it('makes a pending plan approved, for that version, with who, how, when and why on record', async () => {
    const made = await plan();
    const answer = await act(service, colleague, made, 'approve', {
      versionId: made.versionId,
      note: 'Good.',
    });
    expect([answer.status, answer.body.status]).toEqual([200, 'approved']);
    const detail = (await read(service, member, made)).body;
    expect(detail.reviews).toMatchObject([
      { version: 1, verdict: 'approved', note: 'Good.', reviewer: { name: 'Colleague' }, withdrawnAt: null },
    ]);
    const events = await activityOf(service, member, made);
    expect(events.map(({ kind }) => kind)).toEqual(['plan_created', 'approved', 'status_changed']);
    expect(events[2]).toMatchObject({
      number: 3,
      actor: { kind: 'session', id: colleague.userId, name: 'Colleague' },
      data: { from: 'pending', to: 'approved', reason: 'approved', note: 'Good.' },
    });
    expect(events[0].actor).toMatchObject({ kind: 'key', id: member.userId });
  });

  it('is refused to who created the plan and to who wrote the version: 403, and nothing changes', async () => {
    const made = await plan();
    const own = await act(service, member, made, 'approve', { versionId: made.versionId });
    expect([own.status, own.body.code]).toEqual([403, 'forbidden']);
    const second = await postVersion(service, colleague, made, '# By a colleague');
    for (const person of [member, colleague]) {
      const answer = await act(service, person, made, 'approve', { versionId: second.versionId });
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    }
    expect(await statusOf(made)).toBe('pending');
    expect((await read(service, member, made)).body.approvalBlockedBecause).toMatch(/someone else/);
  });

  it('is open to them when the switch self_approval is on', async () => {
    const set = (enabled: boolean) =>
      service.call(changeSwitch, { key: 'self_approval', enabled }, withSession(admin));
    const made = await plan();
    try {
      expect((await set(true)).status).toBe(200);
      expect((await read(service, member, made)).body.actions).toContain('approve');
      const answer = await act(service, member, made, 'approve', { versionId: made.versionId });
      expect([answer.status, answer.body.status]).toEqual([200, 'approved']);
    } finally {
      await set(false);
    }
  });

  /** An organization with one person in it. */
  async function withOnePerson() {
    const id = uuidv7();
    await db.insertInto('organizations').values({ id, name: 'Solo', created_at: clock.now() }).execute();
    const user = await makeUser(db, { name: 'Solo', email: `solo${id}@acme.example` }, clock.now());
    return makePerson(db, id, user, 'owner', clock.now());
  }
  const second = async (organizationId: string) =>
    ({
      organizationId,
      userId: (await makeUser(db, { name: 'Second', email: `second${uuidv7()}@acme.example` }, clock.now()))
        .id,
      role: 'viewer',
      at: clock.now(),
    }) as const;

  it('is open to the only active person of an organization, until a second one is active', async () => {
    const solo = await withOnePerson();
    const made = (await postPlan(service, solo)).body;
    expect((await read(service, solo, made)).body).toMatchObject({ approvalBlockedBecause: null });
    const approval = { versionId: made.versionId };
    expect((await act(service, solo, made, 'approve', approval)).body.status).toBe('approved');
    expect((await act(service, solo, made, 'withdraw-approval')).status).toBe(200);
    await insertMembership(db, await second(solo.organizationId));
    expect((await act(service, solo, made, 'approve', approval)).status).toBe(403);
    expect((await read(service, solo, made)).body.actions).not.toContain('approve');
  });

  it('waits for a second person who is just becoming active, and is refused then', async () => {
    const solo = await withOnePerson();
    const made = (await postPlan(service, solo)).body;
    const joining = await second(solo.organizationId);
    const { approving } = await db.transaction().execute(async (transaction) => {
      await insertMembership(transaction, joining);
      const approving = act(service, solo, made, 'approve', { versionId: made.versionId });
      await untilWaiting(db, 1);
      return { approving };
    });
    expect((await approving).status).toBe(403);
  });

  it('is for the newest version alone: 409 for an older one, 409 after someone posted another', async () => {
    const made = await plan();
    const next = await postVersion(service, member, made, '# Next');
    const late = await act(service, colleague, made, 'approve', { versionId: made.versionId });
    expect([late.status, late.body.code]).toEqual([409, 'conflict']);
    expect(late.body.detail).toContain('version 2');
    expect((await act(service, colleague, made, 'approve', { versionId: next.versionId })).status).toBe(200);
  });

  it('counts for the same content posted again: who approved withdraws it, and who wrote it cannot approve', async () => {
    const made = await plan();
    await act(service, colleague, made, 'approve', { versionId: made.versionId });
    const again = await postVersion(service, member, made, SAMPLE_PLAN);
    expect(again.status).toBe('approved');
    const { actions } = (await read(service, colleague, made)).body;
    expect([actions.includes('withdraw_approval'), actions.includes('approve')]).toEqual([true, false]);
    expect((await act(service, colleague, made, 'withdraw-approval')).body.status).toBe('pending');

    await postVersion(service, colleague, made, '# By a colleague');
    const reposted = await postVersion(service, admin, made, '# By a colleague');
    const own = await act(service, colleague, made, 'approve', { versionId: reposted.versionId });
    expect([own.status, own.body.code]).toEqual([403, 'forbidden']);
    expect((await act(service, owner, made, 'approve', { versionId: reposted.versionId })).status).toBe(200);
  });

  it('is never for a key: 403 key_not_accepted', async () => {
    const made = await plan();
    const answer = await service.request('POST', `/api/v2/plans/${made.seriesId}/approve`, {
      as: withKey(colleague),
      body: { versionId: made.versionId },
    });
    expect([answer.status, answer.body.code]).toEqual([403, 'key_not_accepted']);
  });

  it('twice by the same person is one approval; by two people it is two, and one withdrawal keeps it approved', async () => {
    const made = await plan();
    const approve = (person: typeof member) =>
      act(service, person, made, 'approve', { versionId: made.versionId });
    await approve(colleague);
    await approve(colleague);
    await approve(admin);
    expect((await read(service, member, made)).body.reviews).toHaveLength(2);
    const withdrawn = await act(service, colleague, made, 'withdraw-approval', { note: 'Wait.' });
    expect(withdrawn.body.status).toBe('approved');
    expect((await act(service, admin, made, 'withdraw-approval')).body.status).toBe('pending');
  });

  it('does not fit an implemented or a closed plan: 409', async () => {
    const implemented = await plan();
    await service.call(linkPullRequest, { seriesId: implemented.seriesId, prNumber: 1 }, withKey(member));
    const closed = await plan();
    await act(service, member, closed, 'close');
    for (const made of [implemented, closed]) {
      const answer = await act(service, colleague, made, 'approve', { versionId: made.versionId });
      expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
    }
  });
});

describe('a new version', () => {
  it('with other content takes the approval away; the same content keeps it and says unchanged', async () => {
    const made = await plan();
    await act(service, colleague, made, 'approve', { versionId: made.versionId });
    const same = await postVersion(service, member, made, SAMPLE_PLAN);
    expect(same).toMatchObject({ version: 2, status: 'approved' });
    const other = await postVersion(service, member, made, '# Other');
    expect(other).toMatchObject({ version: 3, status: 'pending' });
    const { versions } = (await read(service, member, made)).body;
    expect(
      versions.map((each: { version: number; unchanged: boolean }) => [each.version, each.unchanged]),
    ).toEqual([
      [3, false],
      [2, true],
      [1, false],
    ]);
  });

  it('with other content opens a closed plan again', async () => {
    const made = await plan();
    await act(service, member, made, 'close', { note: 'No time.' });
    expect((await postVersion(service, member, made, SAMPLE_PLAN)).status).toBe('closed');
    expect((await postVersion(service, member, made, '# Now')).status).toBe('pending');
  });
});

describe('request changes', () => {
  it('keeps a pending plan pending and is on record; the note is required', async () => {
    const made = await plan();
    const { versionId } = made;
    expect((await act(service, colleague, made, 'request-changes', { versionId })).status).toBe(400);
    const answer = await act(service, colleague, made, 'request-changes', { versionId, note: 'Say why.' });
    expect([answer.status, answer.body.status]).toEqual([200, 'pending']);
    expect((await read(service, member, made)).body.reviews).toMatchObject([
      { verdict: 'changes_requested', note: 'Say why.' },
    ]);
  });

  it('takes an approval back', async () => {
    const made = await plan();
    const { versionId } = made;
    await act(service, colleague, made, 'approve', { versionId });
    const answer = await act(service, admin, made, 'request-changes', { versionId, note: 'Not yet.' });
    expect(answer.body.status).toBe('pending');
    const again = await act(service, colleague, made, 'approve', { versionId });
    expect(again.body.status).toBe('approved');
    expect((await read(service, member, made)).body.reviews).toHaveLength(3);
  });
});

describe('withdraw', () => {
  it('is for who approved, and for admins: 403 to other members, 409 when nothing is approved', async () => {
    const made = await plan();
    expect((await act(service, colleague, made, 'withdraw-approval')).status).toBe(409);
    await act(service, colleague, made, 'approve', { versionId: made.versionId });
    expect((await act(service, member, made, 'withdraw-approval')).status).toBe(403);
    expect((await act(service, owner, made, 'withdraw-approval')).body.status).toBe('pending');
    expect((await read(service, member, made)).body.reviews[0].withdrawnAt).not.toBeNull();
  });
});

describe('withdraw on a plan that is not approved', () => {
  it('is 409 for the first of two approvers too', async () => {
    const made = await plan();
    for (const person of [colleague, admin])
      await act(service, person, made, 'approve', { versionId: made.versionId });
    await act(service, member, made, 'close');
    for (const person of [colleague, admin])
      expect((await act(service, person, made, 'withdraw-approval')).status).toBe(409);
    expect((await activityOf(service, member, made)).some(({ kind }) => kind === 'approval_withdrawn')).toBe(
      false,
    );
  });
});

describe('close and reopen', () => {
  it('lead from any living status to closed and back to pending, and an approval has to be given anew', async () => {
    const made = await plan();
    await act(service, colleague, made, 'approve', { versionId: made.versionId });
    expect((await act(service, member, made, 'close', { note: 'Later.' })).body.status).toBe('closed');
    expect((await act(service, member, made, 'close')).status).toBe(409);
    expect((await act(service, member, made, 'reopen')).body.status).toBe('pending');
    expect((await act(service, member, made, 'reopen')).status).toBe(409);
    await act(service, colleague, made, 'approve', { versionId: made.versionId });
    expect(await statusOf(made)).toBe('approved');
    const approvals = (await activityOf(service, member, made)).filter(({ kind }) => kind === 'approved');
    expect(approvals).toHaveLength(2);
  });

  it('keep a closed plan closed when a pull request is linked', async () => {
    const made = await plan();
    await act(service, member, made, 'close');
    const answer = await service.call(
      linkPullRequest,
      { seriesId: made.seriesId, prNumber: 3 },
      withKey(member),
    );
    expect([answer.status, answer.body.status, answer.body.pullRequests.length]).toEqual([200, 'closed', 1]);
  });
});

describe('mark implemented', () => {
  it('is for approved plans alone', async () => {
    const made = await plan();
    expect((await act(service, member, made, 'mark-implemented')).status).toBe(409);
    await act(service, colleague, made, 'approve', { versionId: made.versionId });
    const linked = await service.call(
      linkPullRequest,
      { seriesId: made.seriesId, prNumber: 4 },
      withKey(member),
    );
    expect(linked.body.status).toBe('approved');
    expect((await act(service, member, made, 'mark-implemented')).body.status).toBe('implemented');
  });
});

describe('delete', () => {
  const remove = (person: typeof member, seriesId: string) =>
    service.request('DELETE', `/api/v2/plans/${seriesId}`, { as: withSession(person) });

  it('is for who created it and for admins', async () => {
    const [first, second] = [await plan(), await plan()];
    expect((await remove(colleague, first.seriesId)).status).toBe(403);
    expect((await remove(member, first.seriesId)).status).toBe(204);
    expect((await remove(admin, second.seriesId)).status).toBe(204);
  });

  it('makes it not found everywhere from then on, and a conflict to post to', async () => {
    const made = await plan();
    const comment = await postComment(service, colleague, made);
    await remove(member, made.seriesId);
    const base = `/api/v2/plans/${made.seriesId}`;
    const asKey = { as: withKey(colleague) };
    const asPerson = { as: withSession(colleague) };
    const { versionId } = made;
    const answers = await Promise.all([
      service.request('GET', `${base}/comments`, asKey),
      service.request('POST', `${base}/comments`, { ...asKey, body: { body: 'x', versionId } }),
      service.request('PATCH', `${base}/comments/${comment.id}`, { ...asKey, body: { triageState: 'open' } }),
      service.request('POST', `${base}/pull-requests`, { ...asKey, body: { prNumber: 1 } }),
      ...[
        '',
        '/versions/1',
        '/difference?from=1&to=1',
        '/threads',
        '/activity',
        '/overlap',
        '/changes',
        '/events',
      ].map((rest) => service.request('GET', base + rest, asPerson)),
      ...['approve', 'request-changes'].map((action) =>
        service.request('POST', `${base}/${action}`, { ...asPerson, body: { versionId, note: 'x' } }),
      ),
      ...['withdraw-approval', 'close', 'reopen', 'mark-implemented'].map((action) =>
        service.request('POST', `${base}/${action}`, { ...asPerson, body: {} }),
      ),
      service.request('POST', `${base}/review-requests`, { ...asPerson, body: { userIds: [member.userId] } }),
      service.request('POST', `${base}/threads/${comment.id}/mute`, asPerson),
      remove(admin, made.seriesId),
    ]);
    expect(answers.map(({ body, status }) => [status, body.code])).toEqual(
      answers.map(() => [404, 'not_found']),
    );
    const list = await service.request('GET', '/api/v2/plans?limit=200', asPerson);
    expect(JSON.stringify(list.body)).not.toContain(made.seriesId);
    const posted = await service.call(
      submitPlan,
      { seriesKey: made.seriesId, content: 'x', agentVendor: 'codex' },
      withKey(member),
    );
    expect([posted.status, posted.body.code]).toEqual([409, 'conflict']);
  });

  it('is in the audit log', async () => {
    const made = await plan();
    await remove(member, made.seriesId);
    const log = await service.request('GET', '/api/v2/audit-events?action=plan.deleted&limit=1', {
      as: withSession(admin),
    });
    expect(log.body.events).toMatchObject([{ subject: { id: made.seriesId, name: 'Speed up the export' } }]);
  });
});

describe('ask for a review', () => {
  it('names people of the organization; others are 400, each by its place', async () => {
    const made = await plan();
    const ask = (userIds: string[]) => act(service, member, made, 'review-requests', { userIds });
    const wrong = await ask([colleague.userId, globex.member.userId]);
    expect([wrong.status, wrong.body.errors]).toEqual([
      400,
      [{ path: 'userIds[1]', message: 'is not an active member of your organization' }],
    ]);
    expect((await read(service, member, made)).body.reviewRequests).toEqual([]);
    expect((await ask([colleague.userId, admin.userId, colleague.userId])).status).toBe(200);
    const names = (await read(service, member, made)).body.reviewRequests.map(
      ({ reviewer }: { reviewer: { name: string } }) => reviewer.name,
    );
    expect(names.toSorted()).toEqual(['Acme admin', 'Colleague']);
  });

  it('is fulfilled by a review', async () => {
    const made = await plan();
    await act(service, member, made, 'review-requests', { userIds: [colleague.userId] });
    await act(service, colleague, made, 'approve', { versionId: made.versionId });
    expect((await read(service, member, made)).body.reviewRequests).toEqual([]);
  });
});

describe('what a person may do', () => {
  it.each([
    ['viewer', []],
    ['colleague', ['approve', 'close', 'comment', 'request_changes', 'request_review']],
    ['member', ['close', 'comment', 'delete', 'request_changes', 'request_review']],
    ['admin', ['approve', 'close', 'comment', 'delete', 'request_changes', 'request_review']],
  ] as const)('is told to the %s of a pending plan', async (who, actions) => {
    const made = await plan();
    const person = { viewer, colleague, member, admin }[who];
    expect((await read(service, person, made)).body.actions.toSorted()).toEqual(actions);
  });

  it('follows the status', async () => {
    const made = await plan();
    await act(service, colleague, made, 'approve', { versionId: made.versionId });
    const actions = (await read(service, colleague, made)).body.actions;
    expect(actions).toEqual(expect.arrayContaining(['withdraw_approval', 'mark_implemented', 'close']));
    expect(actions).not.toContain('approve');
    await act(service, member, made, 'close');
    expect((await read(service, colleague, made)).body.actions.toSorted()).toEqual(['comment', 'reopen']);
  });
});
