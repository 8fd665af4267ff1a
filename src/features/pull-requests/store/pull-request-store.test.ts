/** Rows of pull requests: the newest of a branch, heads, and what goes when the repository goes. */
import { describe, expect, it } from 'vitest';
import { makePullRequest, makeRepositoryRow } from '../../../../test/helpers/rows/pull-requests.ts';
import { startTestService } from '../../../../test/helpers/service/harness.ts';
import { BY_SERVICE, newestPullRequestOfBranch, selectHeads, withPullRequestAs } from '../index.ts';

const service = await startTestService();
const { acme, clock, db } = service;
const reader = { organizationId: acme.id, userId: acme.member.userId, role: acme.member.role };

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

describe('the newest pull request of a branch', async () => {
  const api = await makeRepositoryRow(service, acme.id, { name: 'acme/api' });
  const hidden = await makeRepositoryRow(service, acme.id, { name: 'acme/hidden', members: [] });
  const add = (minute: number, headBranch: string, headRepository: string | null = null) =>
    makePullRequest(service, api, {
      headBranch,
      headRepository,
      createdAt: at(minute),
      state: minute % 2 ? 'closed' : 'open',
    });
  const own = await add(1, 'fix');
  const newer = await add(3, 'fix');
  const ofFork = await add(5, 'fix', 'Mona/api-fork');
  await add(2, 'fix', 'mona/api-fork');
  const ofGroup = await add(6, 'fix', 'group/sub/api');
  const colon = await add(7, 'odd:name');
  await add(8, 'name', 'odd/api');
  await makePullRequest(service, hidden, { headBranch: 'fix' });

  it.each([
    ['fix', ofGroup, 'a branch name means forks too'],
    ['mona:fix', ofFork, 'an owner in any case'],
    ['MONA:fix', ofFork, 'an owner in upper case'],
    ['group/sub:fix', ofGroup, 'an owner with several parts'],
    ['acme:fix', newer, "the repository's own owner"],
    ['nobody:fix', undefined, 'another owner'],
    ['FIX', undefined, 'branches are case-sensitive'],
    ['', undefined, 'no name'],
    [':fix', undefined, 'no owner'],
  ])('of %j', async (branch, expected, _why) => {
    expect((await newestPullRequestOfBranch(db, reader, api.id, branch))?.id).toBe(expected?.id);
  });

  it('takes a name with a colon literally too, whichever is newer', async () => {
    expect((await newestPullRequestOfBranch(db, reader, api.id, 'odd:name'))?.head_repository).toBe(
      'odd/api',
    );
    const again = await add(9, 'odd:name');
    expect((await newestPullRequestOfBranch(db, reader, api.id, 'odd:name'))?.id).toBe(again.id);
    expect([own.id, colon.id]).not.toContain(again.id);
  });

  it('is nothing in a repository that the reader cannot see', async () => {
    expect(await newestPullRequestOfBranch(db, reader, hidden.id, 'fix')).toBeUndefined();
    expect(await newestPullRequestOfBranch(db, { ...reader, role: 'admin' }, hidden.id, 'fix')).toBeDefined();
  });
});

describe('heads', () => {
  it('are added once each, and every one after the first is an event', async () => {
    const { id } = await makePullRequest(service, await makeRepositoryRow(service, acme.id));
    const announced: string[] = [];
    const push = (commit: string) =>
      withPullRequestAs(
        { db, announce: (topic) => void announced.push(topic) },
        { ...BY_SERVICE, organizationId: acme.id },
        id,
        clock.now(),
        (change) => change.recordHead({ commit, baseCommit: null, mergeBase: null, forced: false }),
      );
    const [a, b] = ['a'.repeat(40), 'c'.repeat(40)];
    expect([await push(a), await push(b), await push(b), await push(a)]).toEqual([false, true, false, true]);
    expect((await selectHeads(db, id, 200)).map(({ commit, position }) => [position, commit])).toEqual([
      [1, a],
      [2, b],
      [3, a],
    ]);
    expect((await selectHeads(db, id, 1)).map(({ position }) => position)).toEqual([3]);
    const events = await db
      .selectFrom('events')
      .select(['number', 'kind', 'data'])
      .where('subject_id', '=', id)
      .orderBy('number')
      .execute();
    expect(events.map(({ kind, number }) => `${number} ${kind}`)).toEqual([
      '1 pull_request_opened',
      '2 pull_request_pushed',
      '3 pull_request_pushed',
    ]);
    expect(events[1]!.data).toEqual({ from: a, headCommit: b, position: 2, forced: false });
    expect(announced).toEqual([id, id]);
  });
});

describe('removing a repository', () => {
  it('removes its pull requests with their events and notifications, and no others', async () => {
    const [gone, kept] = [
      await makeRepositoryRow(service, acme.id),
      await makeRepositoryRow(service, acme.id),
    ];
    const [one, other] = [await makePullRequest(service, gone), await makePullRequest(service, kept)];
    for (const { id } of [one, other]) {
      await db
        .insertInto('inbox_items')
        .values({
          id,
          organization_id: acme.id,
          user_id: acme.member.userId,
          subject_kind: 'pull_request',
          subject_id: id,
          event_number: 1,
          kind: 'comment',
          created_at: clock.now(),
        })
        .execute();
    }
    await db.deleteFrom('repositories').where('id', '=', gone.id).execute();
    for (const table of ['events', 'event_outbox', 'inbox_items'] as const) {
      const rows = await db
        .selectFrom(table)
        .select('subject_id')
        .where('subject_id', 'in', [one.id, other.id])
        .execute();
      expect(rows, table).toEqual([{ subject_id: other.id }]);
    }
  });
});
