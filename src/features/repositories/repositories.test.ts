/** Repositories over HTTP: changing, listing, refreshing and removing them, and who can see them. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startRepositories } from '../../../test/helpers/rows/repositories.ts';
import { makePerson, makeUser } from '../../../test/helpers/service/factories.ts';
import { withSession } from '../../../test/helpers/service/harness.ts';

const { acme, db, addLocal, auditOf, call, fixture, list, local, rowOf, service } = await startRepositories();

describe('changing', () => {
  it('renames and keeps the id', async () => {
    const { id } = await addLocal('acme/old');
    const { body, status } = await call('PATCH', `/${id}`, acme.owner, { name: 'acme/new' });
    expect([status, body.id, body.name]).toEqual([200, id, 'acme/new']);
    expect((await auditOf(id)).at(-1)).toMatchObject({
      detail: { name: { from: 'acme/old', to: 'acme/new' } },
    });
  });

  it('can change the case of its own name, but not take another’s', async () => {
    const { id } = await addLocal('acme/one');
    await addLocal('acme/two');
    expect((await call('PATCH', `/${id}`, acme.admin, { name: 'Acme/One' })).body.name).toBe('Acme/One');
    expect((await call('PATCH', `/${id}`, acme.admin, { name: 'ACME/TWO' })).status).toBe(409);
  });

  it('lets one of two concurrent renames succeed', async () => {
    const ids = await Promise.all(['a/1', 'a/2', 'a/3'].map(async (name) => (await addLocal(name)).id));
    const answers = await Promise.all(
      ids.map((id) => call('PATCH', `/${id}`, acme.admin, { name: 'a/same' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it('does nothing without changes', async () => {
    const before = await addLocal('acme/api');
    const { body, status } = await call('PATCH', `/${before.id}`, acme.admin, {});
    expect([status, body]).toEqual([200, before]);
    expect(await auditOf(before.id)).toHaveLength(1);
  });

  it('fetches again from another URL, even if the operator had added the repository', async () => {
    const { id } = await addLocal('acme/api');
    const other = await fixture('other.git');
    await sql`UPDATE repositories SET added_by_operator = true, failures = 3, problem = 'x', problem_at = now(),
      next_refresh_at = now() + interval '1 day' WHERE id = ${id}`.execute(db);
    const { body } = await call('PATCH', `/${id}`, acme.admin, { url: other.folder });
    expect(body).toMatchObject({ url: other.folder, problem: null });
    expect(await rowOf(id)).toMatchObject({ added_by_operator: false, failures: 0 });
    expect((await rowOf(id)).next_refresh_at!.getTime()).toBeLessThanOrEqual(Date.now() + 5000);
  });
});

describe('visibility', () => {
  it('is the whole organization, or named members, and admins and owners always', async () => {
    const user = await makeUser(db, { name: 'Other', email: `other${Date.now()}@acme.example` }, new Date());
    const other = await makePerson(db, acme.id, user, 'member', new Date());
    const open = await addLocal('acme/open');
    const closed = await addLocal('acme/closed', { visibility: 'members', memberIds: [acme.member.userId] });
    expect(closed.members).toEqual([{ id: acme.member.userId, name: acme.member.name }]);
    expect(await list(acme.member)).toEqual(['acme/closed', 'acme/open']);
    expect(await list(acme.owner)).toEqual(['acme/closed', 'acme/open']);
    expect(await list(other)).toEqual(['acme/open']);
    expect(await list(acme.viewer)).toEqual(['acme/open']);
    for (const path of [`/${closed.id}`, `/${closed.id}/refs`]) {
      expect((await call('GET', path, other)).status).toBe(404);
      expect((await call('GET', path, acme.member)).status).toBe(200);
    }
    await call('PATCH', `/${closed.id}`, acme.admin, { memberIds: [other.userId] });
    expect(await list(other)).toEqual(['acme/closed', 'acme/open']);
    expect(await list(acme.member)).toEqual(['acme/open']);
    await call('PATCH', `/${open.id}`, acme.admin, { visibility: 'members' });
    expect(await list(acme.viewer)).toEqual([]);
  });

  it('shows the URL only to those who manage it', async () => {
    const { id } = await addLocal('acme/api');
    expect((await call('GET', `/${id}`, acme.member)).body).toMatchObject({ url: null, canManage: false });
    expect((await call('GET', `/${id}`, acme.admin)).body).toMatchObject({
      url: local.folder,
      canManage: true,
    });
  });
});

it('shows the problem only to those who manage it, because it names servers and folders', async () => {
  const { id } = await addLocal('acme/api');
  const problem = { problem: 'There is no folder /srv/secret.', problem_at: new Date() };
  await db.updateTable('repositories').set(problem).where('id', '=', id).execute();
  expect((await call('GET', `/${id}`, acme.admin)).body.problem.message).toContain('/srv/secret');
  expect(JSON.stringify((await call('GET', `/${id}`, acme.member)).body)).not.toContain('/srv/secret');
  expect(JSON.stringify((await call('GET', '', acme.member)).body)).not.toContain('/srv/secret');
});

describe('the list', () => {
  it('is ordered by name, paginated, and filtered by part of the name', async () => {
    for (const name of ['b/two', 'A/one', 'c/three', 'b/twenty']) await addLocal(name);
    const first = (await call('GET', '?limit=3', acme.viewer)).body;
    expect(first.repositories.map((each: { name: string }) => each.name)).toEqual([
      'A/one',
      'b/twenty',
      'b/two',
    ]);
    expect(await list(acme.viewer, `?limit=3&cursor=${first.nextCursor}`)).toEqual(['c/three']);
    expect(await list(acme.viewer, '?search=TW')).toEqual(['b/twenty', 'b/two']);
    expect(await list(acme.viewer, '?search=%25')).toEqual([]);
    expect((await call('GET', '?cursor=x', acme.viewer)).status).toBe(400);
  });
});

describe('refs', () => {
  it('are paginated: the default branch first, then branches, then tags', async () => {
    const { id } = await addLocal('acme/api');
    await db.updateTable('repositories').set({ default_branch: 'main' }).where('id', '=', id).execute();
    const refs = [
      ['branch', 'Zeta'],
      ['branch', 'alpha'],
      ['branch', 'main'],
      ['tag', 'main'],
      ['tag', 'v1'],
    ] as const;
    await db
      .insertInto('repository_refs')
      .values(
        refs.map(([kind, name]) => ({
          repository_id: id,
          organization_id: acme.id,
          kind,
          name,
          commit: 'c'.repeat(40),
        })),
      )
      .execute();
    const page = async (query: string) => {
      const { body } = await call('GET', `/${id}/refs${query}`, acme.viewer);
      return [
        body.refs.map(
          (ref: Record<string, unknown>) => `${ref.kind} ${ref.name}${ref.isDefault ? ' *' : ''}`,
        ),
        body.nextCursor,
      ];
    };
    const all = ['branch main *', 'branch Zeta', 'branch alpha', 'tag main', 'tag v1'];
    expect(await page('')).toEqual([all, null]);
    const seen: string[] = [];
    let cursor: string | null = '';
    do {
      const [names, next]: [string[], string | null] = (await page(
        `?limit=1${cursor && `&cursor=${cursor}`}`,
      )) as never;
      seen.push(...names);
      cursor = next;
    } while (cursor);
    expect(seen).toEqual(all);
    expect((await page('?kind=tag'))[0]).toEqual(['tag main', 'tag v1']);
    expect((await page('?search=MA'))[0]).toEqual(['branch main *', 'tag main']);
    expect((await page('?search=v'))[0]).toEqual(['tag v1']);
  });
});

describe('requesting a refresh', () => {
  it('makes it due, even repeatedly, and is recorded', async () => {
    const { id } = await addLocal('acme/api');
    await sql`UPDATE repositories SET next_refresh_at = now() + interval '1 day', refresh_started_at = now()`.execute(
      db,
    );
    const { body, status } = await call('POST', `/${id}/refresh`, acme.admin);
    expect([status, body.activity.phase]).toEqual([200, 'waiting']);
    expect((await call('POST', `/${id}/refresh`, acme.admin)).status).toBe(200);
    const due = await sql<{
      due: boolean;
    }>`SELECT next_refresh_at <= clock_timestamp() AS due FROM repositories`.execute(db);
    expect(due.rows).toEqual([{ due: true }]);
    expect((await auditOf(id)).map(({ action }) => action)).toContain('repository.refreshed');
  });

  it('by a push requires the token of its URL, which never changes', async () => {
    const { id } = await addLocal('acme/api');
    const other = await addLocal('acme/other');
    await sql`UPDATE repositories SET next_refresh_at = now() + interval '1 day'`.execute(db);
    const { body } = await call('POST', `/${id}/push-url`, acme.admin);
    expect((await call('POST', `/${id}/push-url`, acme.owner)).body).toEqual(body);
    const path = body.url.slice(service.url.length);
    const token = path.split('/').at(-1);
    const push = (to: string) =>
      service.request('POST', to, { body: { ref: 'refs/heads/main', repository: {} } });
    expect((await push(path)).status).toBe(204);
    expect((await push(`/api/v2/repositories/${id}/pushes/${token.slice(0, -1)}x`)).status).toBe(404);
    expect((await push(`/api/v2/repositories/${other.id}/pushes/${token}`)).status).toBe(404);
    expect((await push(`/api/v2/repositories/${acme.id}/pushes/${token}`)).status).toBe(404);
    const due = await sql<{
      name: string;
    }>`SELECT name FROM repositories WHERE next_refresh_at <= clock_timestamp()`.execute(db);
    expect(due.rows).toEqual([{ name: 'acme/api' }]);
    expect(service.logLines.join('')).not.toContain(token);
    expect((await rowOf(id)).push_token!.includes(token)).toBe(false);
  });
});

describe('removing', () => {
  it('deletes everything of it, and plans keep its name for those who may read it', async () => {
    const { id } = await addLocal('acme/api', { visibility: 'members', memberIds: [acme.member.userId] });
    const plan = await service.request('POST', '/api/v2/plans', {
      as: { key: acme.member.key },
      body: { seriesKey: crypto.randomUUID(), content: '# Plan', agentVendor: 'codex', repoIds: [id] },
    });
    const link = (prNumber: number) =>
      service.request('POST', `/api/v2/plans/${plan.body.seriesId}/pull-requests`, {
        as: { key: acme.member.key },
        body: { prNumber, repoId: id },
      });
    await link(7);
    await link(8);
    // A link by name only, as created before the repository was added.
    await sql`INSERT INTO plan_pull_requests SELECT gen_random_uuid(), plan_id, organization_id, NULL, 'Acme/API', number,
      linked_by, linked_at, false FROM plan_pull_requests WHERE number = 7`.execute(db);
    expect((await call('DELETE', `/${id}`, acme.admin)).status).toBe(204);
    expect((await call('GET', `/${id}`, acme.owner)).status).toBe(404);
    expect((await call('DELETE', `/${id}`, acme.admin)).status).toBe(404);
    const read = (as: ReturnType<typeof withSession>) =>
      service.request('GET', `/api/v2/plans/${plan.body.seriesId}`, { as });
    const { body } = await read(withSession(acme.admin));
    expect(body.repos).toEqual([{ repoId: null, repoName: 'acme/api' }]);
    const unseen = { repoId: null, repoName: "a repository that you can't see" };
    expect((await read(withSession(acme.viewer))).body.repos).toEqual([unseen]);
    const links = body.pullRequests.map((each: Record<string, unknown>) => [each.repoId, each.prNumber]);
    expect(links.sort()).toEqual([
      [null, 7],
      [null, 8],
    ]);
    expect((await auditOf(id)).at(-1)).toMatchObject({
      action: 'repository.removed',
      subject_name: 'acme/api',
    });
  });
});
