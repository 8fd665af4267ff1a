/** GET /api/v2/discussions/by-branch (endpoint 3). */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeDiscussion } from '../../../test/helpers/rows/discussions.ts';
import {
  makeHostAccount,
  makePullRequest,
  makeRepositoryRow,
} from '../../../test/helpers/rows/pull-requests.ts';
import { startTestService, withKey } from '../../../test/helpers/service/harness.ts';

const service = await startTestService();
const { acme, db, globex } = service;

let count = 0;
let name = '';
let ids: { organizationId: string; repositoryId: string };
beforeEach(async () => {
  count += 1;
  name = `acme/by-branch-${count}`;
  ids = { organizationId: acme.id, repositoryId: (await makeRepositoryRow(service, acme.id, { name })).id };
});

const open = async (options: Parameters<typeof makePullRequest>[2] = {}) =>
  (await makePullRequest(service, { id: ids.repositoryId }, { headBranch: 'feature', ...options })).id;
const ask = (query: Record<string, string>, as = withKey(acme.viewer)) =>
  service.request('GET', `/api/v2/discussions/by-branch?${new URLSearchParams(query)}`, { as });

describe('200', () => {
  it('returns exactly the fields of the contract, oldest discussion and comment first', async () => {
    const pullRequestId = await open();
    const person = {
      kind: 'person',
      userId: acme.member.userId,
      accountId: null,
      name: 'as stored',
    } as const;
    const later = await makeDiscussion(
      db,
      {
        ...ids,
        pullRequestId,
        at: new Date('2026-01-02T00:00:00Z'),
        startLine: 0,
        endLine: 0,
        commentedCode: '',
      },
      [{ body: 'The whole file.' }],
    );
    const first = await makeDiscussion(
      db,
      {
        ...ids,
        pullRequestId,
        author: person,
        at: new Date('2026-01-01T00:00:00Z'),
        startLine: 3,
        endLine: 4,
        commentedCode: 'a\nb',
      },
      [
        { body: 'Why?' },
        {
          body: 'Because.',
          author: { kind: 'reviewer', userId: null, accountId: null, name: 'Logic Errors' },
        },
      ],
    );
    const { body, status } = await ask({ repository: name, branch: 'feature' });
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        id: first,
        file: 'src/a.ts',
        startLine: 3,
        endLine: 4,
        commentedCode: 'a\nb',
        status: 'open',
        reviewerTitle: acme.member.name,
        comments: [
          { author: acme.member.name, body: 'Why?', createdAt: '2026-01-01T00:00:00.000Z' },
          { author: 'Logic Errors', body: 'Because.', createdAt: '2026-01-01T00:00:00.001Z' },
        ],
      },
      expect.objectContaining({
        id: later,
        startLine: 0,
        endLine: 0,
        commentedCode: '',
        reviewerTitle: 'a bot',
      }),
    ]);
  });

  it('keeps only open ones by default and with status=open, and all with status=all', async () => {
    const pullRequestId = await open();
    const made = [];
    for (const status of ['open', 'addressed', 'resolved'] as const) {
      const id = await makeDiscussion(db, { ...ids, pullRequestId });
      await db.updateTable('discussions').set({ status }).where('id', '=', id).execute();
      made.push(id);
    }
    const idsOf = async (status?: string) =>
      (await ask({ repository: name, branch: 'feature', ...(status !== undefined && { status }) })).body.map(
        (each: { id: string }) => each.id,
      );
    expect(await idsOf()).toEqual([made[0]]);
    expect(await idsOf('open')).toEqual([made[0]]);
    expect(await idsOf('')).toEqual([made[0]]);
    expect(await idsOf('all')).toEqual(made);
  });

  it('takes the pull request that was created last, whatever its state; forks included', async () => {
    const at = (day: number) => new Date(Date.UTC(2026, 0, day));
    const old = await open({ number: 9, createdAt: at(1) });
    const fork = await open({ number: 2, createdAt: at(3), state: 'closed', headRepository: 'Mallory/api' });
    const own = await open({ number: 3, createdAt: at(2), state: 'merged' });
    const made = new Map<string, string>();
    for (const id of [old, fork, own]) made.set(await makeDiscussion(db, { ...ids, pullRequestId: id }), id);
    const found = async (branch: string) =>
      (await ask({ repository: name, branch })).body.map((each: { id: string }) => made.get(each.id));
    expect(await found('feature')).toEqual([fork]);
    expect(await found('mallory:feature')).toEqual([fork]);
    expect(await found('acme:feature')).toEqual([own]);
    expect(await found('nobody:feature')).toEqual([]);
    expect(await found('Feature')).toEqual([]);
  });

  it('is an empty list for a branch without a pull request and for a pull request without discussions', async () => {
    expect((await ask({ repository: name, branch: 'feature' })).body).toEqual([]);
    await open();
    expect((await ask({ repository: name, branch: 'feature' })).body).toEqual([]);
  });

  it('shows the member whose account on the code host is linked, else the account', async () => {
    const pullRequestId = await open();
    const accountId = await makeHostAccount(service, acme.id, { name: 'Grace H.' });
    const author = { kind: 'person', userId: null, accountId, name: 'gh' } as const;
    await makeDiscussion(db, { ...ids, pullRequestId, author });
    const titles = async () =>
      (await ask({ repository: name, branch: 'feature' })).body.map(
        (each: { reviewerTitle: string; comments: { author: string }[] }) => [
          each.reviewerTitle,
          each.comments[0]!.author,
        ],
      );
    expect(await titles()).toEqual([['Grace H.', 'Grace H.']]);
    await db
      .updateTable('host_accounts')
      .set({ user_id: acme.admin.userId })
      .where('id', '=', accountId)
      .execute();
    expect(await titles()).toEqual([[acme.admin.name, acme.admin.name]]);
  });

  it('takes the last part of the name, in any case', async () => {
    await open();
    expect((await ask({ repository: `BY-BRANCH-${count}`, branch: 'feature' })).status).toBe(200);
  });

  it('sends a fixed number of queries for any number of discussions', async () => {
    const pullRequestId = await open();
    const queries = async () => {
      const before = await statements();
      expect((await ask({ repository: name, branch: 'feature' })).status).toBe(200);
      return (await statements()) - before;
    };
    await makeDiscussion(db, { ...ids, pullRequestId });
    await queries();
    const few = await queries();
    for (let i = 0; i < 30; i += 1) await makeDiscussion(db, { ...ids, pullRequestId });
    expect(await queries()).toBe(few);
  });
});

/** Transactions committed in this database: outside of a transaction each query is one. */
async function statements(): Promise<number> {
  await sql`SELECT pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ count: string }>`SELECT xact_commit AS count FROM pg_stat_database
    WHERE datname = current_database()`.execute(db);
  return Number(rows[0]!.count);
}

describe('400', () => {
  it('lists every problem of the request', async () => {
    const { body, status } = await ask({ status: 'closed' });
    expect(status).toBe(400);
    expect(body.errors.map((error: { path: string }) => error.path).sort()).toEqual([
      'branch',
      'repository',
      'status',
    ]);
  });

  it('names the candidates for an ambiguous repository', async () => {
    await makeRepositoryRow(service, acme.id, { name: `other/by-branch-${count}` });
    const { body, status } = await ask({ repository: `by-branch-${count}`, branch: 'feature' });
    expect([status, body.code]).toEqual([400, 'ambiguous_repository']);
    expect(body.candidates).toEqual([`acme/by-branch-${count}`, `other/by-branch-${count}`]);
  });
});

describe('401, 404', () => {
  it('is 401 without a key', async () => {
    expect((await ask({ repository: name, branch: 'feature' }, 'nobody' as never)).status).toBe(401);
  });

  it('is 404 for an unknown repository, another organization’s, and one that the caller cannot see', async () => {
    expect((await ask({ repository: 'acme/none', branch: 'x' })).status).toBe(404);
    expect((await ask({ repository: name, branch: 'x' }, withKey(globex.owner))).status).toBe(404);
    await db.updateTable('repositories').set({ visibility: 'members' }).where('name', '=', name).execute();
    expect((await ask({ repository: name, branch: 'x' })).status).toBe(404);
    expect((await ask({ repository: name, branch: 'x' }, withKey(acme.admin))).status).toBe(200);
  });
});
