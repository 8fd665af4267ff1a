/** Reviewing plans: approving, withdrawing approvals, requesting changes and requesting reviews. */
import { describe, expect, it } from 'vitest';
import { untilWaiting } from '../../../../test/helpers/database/waiting.ts';
import {
  act,
  activityOf,
  makeColleague,
  postPlan,
  postVersion,
  read,
  SAMPLE_PLAN,
} from '../../../../test/helpers/rows/plans.ts';
import { makeEmptyOrganization, makePerson, makeUser } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { insertMembership } from '../../accounts/store/account-store.ts';
import { changeSwitch } from '../../organization-settings/change-switch.ts';
import { linkPullRequest } from '../changes/link-pull-request.ts';
import { listPlans } from '../reading/list-plans.ts';

const service = await startTestService();
const { acme, clock, db, globex } = service;
const { admin, member, owner } = acme;
const colleague = await makeColleague(service);

const plan = async () => (await postPlan(service, member)).body;
const statusOf = async (of: { seriesId: string }) => (await read(service, member, of)).body.status;

describe('approve-plan', () => {
  it('makes a pending plan approved and records who, how, when and why', async () => {
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

  it('is 403 for the creator of the plan and the author of the version, and changes nothing', async () => {
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

  it('is allowed for them if the switch self_approval is on', async () => {
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

  /** A new organization with one person. */
  async function withOnePerson() {
    const id = await makeEmptyOrganization(db, 'Solo', clock.now());
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

  it('is allowed for the only active person of an organization, until a second one is active', async () => {
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

  it('waits for a second person who is becoming active, and is then refused', async () => {
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

  it('is for the latest version only: 409 for an older one', async () => {
    const made = await plan();
    const next = await postVersion(service, member, made, '# Next');
    const late = await act(service, colleague, made, 'approve', { versionId: made.versionId });
    expect([late.status, late.body.code]).toEqual([409, 'conflict']);
    expect(late.body.detail).toContain('version 2');
    expect((await act(service, colleague, made, 'approve', { versionId: next.versionId })).status).toBe(200);
  });

  it('applies to the same content posted again: its approver can withdraw, its author cannot approve', async () => {
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

  it('is 403 key_not_accepted for a key', async () => {
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

  it('is 409 for a closed plan', async () => {
    const closed = await plan();
    await act(service, member, closed, 'close');
    const answer = await act(service, colleague, closed, 'approve', { versionId: closed.versionId });
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
  });

  it('is recorded on an implemented plan, whose status stays; so is withdrawing it and requesting changes', async () => {
    const made = await plan();
    const { versionId } = made;
    await service.call(linkPullRequest, { seriesId: made.seriesId, prNumber: 1 }, withKey(member));
    const state = async (answer: Promise<{ body: { status: string; reviewState: string } }>) => {
      const { reviewState, status } = (await answer).body;
      expect(status).toBe('implemented');
      return reviewState;
    };
    expect((await read(service, admin, made)).body.actions).not.toContain('withdraw_approval');
    expect((await act(service, admin, made, 'withdraw-approval')).status).toBe(409);
    expect((await act(service, member, made, 'approve', { versionId })).status).toBe(403);
    expect(await state(act(service, colleague, made, 'approve', { versionId }))).toBe('approved');
    expect((await read(service, colleague, made)).body.actions).toContain('withdraw_approval');
    expect(await state(act(service, colleague, made, 'withdraw-approval'))).toBe('awaiting_review');
    await state(act(service, colleague, made, 'approve', { versionId }));
    const requested = act(service, admin, made, 'request-changes', { versionId, note: 'Not yet.' });
    expect(await state(requested)).toBe('changes_requested');
    expect((await activityOf(service, member, made)).map(({ kind }) => kind).slice(3)).toEqual([
      ...['approved', 'approval_withdrawn', 'approved', 'changes_requested'],
    ]);
  });
});

describe('request-plan-changes', () => {
  it('keeps a pending plan pending and is recorded; the note is required', async () => {
    const made = await plan();
    const { versionId } = made;
    expect((await act(service, colleague, made, 'request-changes', { versionId })).status).toBe(400);
    const answer = await act(service, colleague, made, 'request-changes', { versionId, note: 'Say why.' });
    expect([answer.status, answer.body.status]).toEqual([200, 'pending']);
    expect((await read(service, member, made)).body.reviews).toMatchObject([
      { verdict: 'changes_requested', note: 'Say why.' },
    ]);
  });

  it('moves the plan to the top of the list of the most recently updated', async () => {
    const made = await plan();
    const newer = await plan();
    clock.advance(1000);
    const answer = await act(service, colleague, made, 'request-changes', {
      versionId: made.versionId,
      note: 'Say why.',
    });
    expect(answer.body.updatedAt > made.updatedAt).toBe(true);
    const { plans } = (await service.call(listPlans, { limit: 2 }, withSession(member))).body;
    expect(plans.map(({ seriesId }: { seriesId: string }) => seriesId)).toEqual([
      made.seriesId,
      newer.seriesId,
    ]);
  });

  it('withdraws an approval', async () => {
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

describe('withdraw-plan-approval', () => {
  it('is for the approver and admins: 403 for other members, 409 if the plan is not approved', async () => {
    const made = await plan();
    expect((await act(service, colleague, made, 'withdraw-approval')).status).toBe(409);
    await act(service, colleague, made, 'approve', { versionId: made.versionId });
    expect((await act(service, member, made, 'withdraw-approval')).status).toBe(403);
    expect((await act(service, owner, made, 'withdraw-approval')).body.status).toBe('pending');
    expect((await read(service, member, made)).body.reviews[0].withdrawnAt).not.toBeNull();
  });
});

describe('withdraw-plan-approval on a closed plan', () => {
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

describe('request-plan-review', () => {
  it('accepts people of the organization; others are 400, each by its index', async () => {
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

  it('is completed by a review', async () => {
    const made = await plan();
    await act(service, member, made, 'review-requests', { userIds: [colleague.userId] });
    await act(service, colleague, made, 'approve', { versionId: made.versionId });
    expect((await read(service, member, made)).body.reviewRequests).toEqual([]);
  });
});
