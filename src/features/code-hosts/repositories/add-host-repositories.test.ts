/** Choosing repositories of a code host: by name, by pattern, new ones included; fetched with the host's credential. */
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { makeRepository } from '../../../../test/helpers/git/git-fixtures.ts';
import { HOST_TOKEN, startConnectedHosts } from '../../../../test/helpers/service/connected-hosts.ts';

const origin = await makeRepository({ 'a.txt': 'secret word\n' }, { name: 'acme/code.git' });
afterAll(() => origin.remove());
const hosts = await startConnectedHosts({ gitFolder: origin.parent });
const { acme, auditOf, call, connect, db, gitea, checkNow, mirrors, onGitea, run } = hosts;

let id = '';
beforeEach(async () => {
  await db.deleteFrom('repositories').execute();
  await db.deleteFrom('code_hosts').execute();
  gitea.model.repositories.length = 0;
  gitea.requests.length = 0;
  id = await connect();
});
const list = (input: Record<string, unknown> = {}) =>
  run('list-host-repositories', { codeHostId: id, ...input });
const add = (input: Record<string, unknown>) => run('add-host-repositories', { codeHostId: id, ...input });
const names = async () =>
  (await db.selectFrom('repositories').select('name').orderBy('name').execute()).map(({ name }) => name);
const repositoryAt = (name: string) =>
  db
    .selectFrom('repositories')
    .select(['id', 'name', 'visibility', 'visibility_from', 'url', 'credential'])
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
/** Everything is due again, as after the usual time. */
const due = () =>
  sql`UPDATE code_hosts SET repositories_listed_at = NULL, next_check_at = NULL, check_queued_at = NULL`.execute(
    db,
  );

describe('listing', () => {
  it('shows what the credential can read, what was added, and finds by part of the name', async () => {
    for (let index = 0; index < 120; index += 1) onGitea(`acme/r${index}`);
    onGitea('labs/Search-Me', { private: false });
    await add({ names: ['acme/r7'] });
    const first = await list();
    expect(first.repositories.length).toBeGreaterThanOrEqual(50);
    expect(first.nextCursor).not.toBeNull();
    expect(first.repositories.find((one: { fullName: string }) => one.fullName === 'acme/r7')).toMatchObject({
      repositoryId: expect.any(String),
      private: true,
      canAdminister: true,
    });
    const found = await list({ search: 'search' });
    expect(found.repositories).toMatchObject([
      { fullName: 'labs/Search-Me', private: false, repositoryId: null },
    ]);
    const bad = await call('list-host-repositories', { codeHostId: id, cursor: 'nonsense' });
    expect([bad.status, bad.body.errors[0].path]).toEqual([400, 'cursor']);
  });
});

describe('adding by name', () => {
  it('clones with the credential of the host, which the repository does not keep', async () => {
    onGitea('acme/code');
    const { added, skipped } = await add({ names: ['acme/code', 'acme/none'] });
    expect(added).toMatchObject([{ fullName: 'acme/code' }]);
    expect(skipped).toMatchObject([{ fullName: 'acme/none' }]);
    const repository = await repositoryAt('acme/code');
    expect(repository).toMatchObject({ visibility: 'members', visibility_from: 'host', credential: null });
    const signal = AbortSignal.timeout(30_000);
    expect(await mirrors.refresh(repository.id, { onlyWhenDue: false, signal })).toEqual({
      kind: 'refreshed',
    });
    expect(await auditOf(repository.id)).toMatchObject([
      { action: 'repository.added' },
      { action: 'code_host.repository_added' },
    ]);
    // A withdrawn token stops the fetching, with a reason that names no secret.
    gitea.tokens.delete(HOST_TOKEN);
    const failed = await mirrors.refresh(repository.id, { onlyWhenDue: false, signal });
    expect(failed.kind).toBe('failed');
    expect(JSON.stringify(failed)).not.toContain(HOST_TOKEN);
    gitea.tokens.set(HOST_TOKEN, gitea.model.account('countersign-bot'));
  });

  it('says why one is not added, and adds the others', async () => {
    onGitea('acme/one');
    onGitea('acme/two');
    await run('add-repository', { url: origin.folder, name: 'acme/two' });
    await add({ names: ['acme/one'] });
    const { added, skipped } = await add({ names: ['acme/one', 'acme/two'] });
    expect(added).toEqual([]);
    expect(skipped).toMatchObject([
      { fullName: 'acme/one', reason: 'It was added already.' },
      { fullName: 'acme/two', reason: expect.stringContaining('Another repository') },
    ]);
    expect((await call('add-host-repositories', { codeHostId: id })).status).toBe(400);
  });

  it('creates a webhook for each, or says why it could not', async () => {
    const mine = onGitea('acme/mine');
    gitea.model.grant(gitea.model.repository('acme/theirs'), 'countersign-bot', 'read');
    await add({ names: ['acme/mine', 'acme/theirs'] });
    await checkNow(id);
    expect(mine.hooks).toMatchObject([{ url: expect.stringContaining(`/api/v2/code-hosts/${id}/webhook`) }]);
    const { repositories } = await run('list-connected-repositories', { codeHostId: id });
    expect(repositories).toMatchObject([
      { fullName: 'acme/mine', visibility: 'host', problem: null },
      { fullName: 'acme/theirs', problem: expect.any(String) },
    ]);
    const { checks } = await run('get-code-host', { codeHostId: id });
    expect(checks.find((one: { name: string }) => one.name === 'webhooks')).toMatchObject({
      state: 'warning',
    });
  });
});

describe('adding by pattern', () => {
  it('adds what matches once; with `includeNew` also what is created later', async () => {
    onGitea('acme/a');
    onGitea('acme/b', { private: false });
    onGitea('labs/c');
    gitea.model.repository('acme/old', { archived: true });
    gitea.model.grant(gitea.model.findRepository('acme/old')!, 'countersign-bot', 'admin');
    const { selection } = await add({ pattern: 'acme/*' });
    expect(selection).toMatchObject({ pattern: 'acme/*', includeNew: false, state: 'adding' });
    await checkNow(id);
    expect(await names()).toEqual(['acme/a', 'acme/b']);
    onGitea('acme/d');
    await due();
    await checkNow(id);
    expect(await names()).toEqual(['acme/a', 'acme/b']);
    const { selection: again } = await add({ pattern: 'acme/*', includeNew: true });
    await checkNow(id);
    onGitea('acme/e');
    await due();
    await checkNow(id);
    expect(await names()).toEqual(['acme/a', 'acme/b', 'acme/d', 'acme/e']);
    const { selections } = await run('get-code-host', { codeHostId: id });
    expect(selections).toMatchObject([{ includeNew: true, state: 'done', addedCount: 2 }]);
    expect(await auditOf((await repositoryAt('acme/e')).id)).toMatchObject([
      { actor_kind: 'service' },
      { actor_kind: 'service' },
    ]);
    await run('remove-host-selection', { codeHostId: id, selectionId: again.id });
    onGitea('acme/f');
    await due();
    await checkNow(id);
    expect(await names()).not.toContain('acme/f');
    expect((await call('remove-host-selection', { codeHostId: id, selectionId: again.id })).status).toBe(404);
  });

  it('follows renames, and closes a repository that became private', async () => {
    const repository = onGitea('acme/open', { private: false });
    await add({ names: ['acme/open'] });
    await checkNow(id);
    expect(await repositoryAt('acme/open')).toMatchObject({ visibility: 'organization' });
    repository.private = true;
    repository.name = 'closed';
    await due();
    await checkNow(id);
    expect(await repositoryAt('acme/closed')).toMatchObject({
      visibility: 'members',
      url: expect.stringContaining('acme/closed'),
    });
  });

  it('finds a renamed repository of a webhook by its ID on the host, and reads its new name there', async () => {
    const { model } = gitea;
    const repository = onGitea('acme/before');
    await add({ names: ['acme/before'] });
    await checkNow(id);
    expect(await run('get-code-host', { codeHostId: id })).toMatchObject({ updates: 'polling' });
    repository.name = 'after';
    // A new repository has the old name.
    const another = onGitea('acme/before');
    another.hooks.push(repository.hooks[0]!);
    gitea.deliveries.length = 0;
    const author = model.account('ada');
    model.openPullRequest(repository, { author, commit: 'c'.repeat(40) });
    model.openPullRequest(another, { author, commit: 'c'.repeat(40), number: 5 });
    await sql`UPDATE code_hosts SET repositories_listed_at = clock_timestamp() - interval '2 minutes'`.execute(
      db,
    );
    for (const { body, headers, url: sentTo } of gitea.deliveries.splice(0)) {
      const { status } = await hosts.request('POST', new URL(sentTo).pathname, { body, headers });
      expect(status).toBe(204);
    }
    const syncs = await db.selectFrom('pull_request_syncs').select(['number', 'repository_id']).execute();
    expect(syncs).toEqual([{ number: 1, repository_id: (await repositoryAt('acme/before')).id }]);
    await checkNow(id);
    expect(syncs[0]!.repository_id).toBe((await repositoryAt('acme/after')).id);
    expect(await run('get-code-host', { codeHostId: id })).toMatchObject({ updates: 'webhooks' });
  });
});

describe('who sees a repository', () => {
  it('is widened by an admin, whatever the host says, until it follows the host again', async () => {
    onGitea('acme/wide');
    const { added } = await add({ names: ['acme/wide'] });
    const { repositoryId } = added[0];
    const change = (visibility: string) =>
      run('change-host-repository', { codeHostId: id, repositoryId, visibility });
    const seen = async () => (await call('get-repository', { repositoryId }, acme.viewer)).status;
    await checkNow(id);
    expect(await seen()).toBe(404);
    await change('organization');
    await sql`UPDATE code_host_repositories SET access_read_at = NULL`.execute(db);
    await due();
    await checkNow(id);
    expect(await seen()).toBe(200);
    await change('host');
    expect(await seen()).toBe(404);
    expect((await auditOf(repositoryId)).map(({ detail }) => detail).slice(-2)).toMatchObject([
      { visibility: 'organization' },
      { visibility: 'host' },
    ]);
    // Choosing members by hand is an admin's decision too.
    await run('change-repository', { repositoryId, memberIds: [acme.viewer.userId] });
    await due();
    await checkNow(id);
    expect(await seen()).toBe(200);
    expect(await repositoryAt('acme/wide')).toMatchObject({ visibility_from: 'admin' });
  });
});
