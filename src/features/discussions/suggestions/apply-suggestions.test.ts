/** POST /api/v2/pull-requests/:pullRequestId/apply-suggestions, on real git: one commit or nothing, and who counts as its author. */
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { makePullRequest } from '../../../../test/helpers/rows/pull-requests.ts';
import { makePerson, makeUser, type Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import { deletePerson } from '../../privacy/index.ts';
import { createPlainGitFollower } from '../../pull-requests/index.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, clock, db, globex } = service;
const follower = createPlainGitFollower({
  ...{ code: service.mirrors.code, announce: () => undefined },
  log: createLog({ level: 'silent', terminal: false }),
});
const as = (person: Person) => ({ as: withSession(person) });

const suggest = (...lines: string[]) =>
  `Better:\n\`\`\`suggestion\n${lines.map((line) => `${line}\n`).join('')}\`\`\``;

async function start() {
  const repository = await addRepository(service, { 'a.ts': 'one\ntwo\nthree\n', 'b.ts': 'four\nfive\n' });
  const base = await repository.git('rev-parse', 'main');
  const head = await repository.commit({ 'a.ts': 'one\n2\nthree\n' }, { branch: 'topic', from: base });
  await repository.refresh();
  const { id } = await makePullRequest(service, repository, { headCommit: head, headBranch: 'topic' });
  await db
    .updateTable('pull_requests')
    .set({ merge_base: base, base_commit: base })
    .where('id', '=', id)
    .execute();
  const comment = async (
    file: string,
    startLine: number,
    body: string,
    endLine = startLine,
    by: Person = acme.admin,
  ) => {
    const answer = await service.request('POST', `/api/v2/pull-requests/${id}/discussions`, {
      as: withSession(by),
      body: { file, startLine, endLine, body },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.comments[0].id as string;
  };
  const apply = (commentIds: string[], more: Record<string, unknown> = {}, as = withSession(acme.member)) =>
    service.request('POST', `/api/v2/pull-requests/${id}/apply-suggestions`, {
      as,
      body: { suggestions: commentIds.map((commentId) => ({ commentId })), expectedHead: head, ...more },
    });
  const list = async (pullRequestId: string) =>
    (await service.request('GET', `/api/v2/pull-requests/${pullRequestId}/discussions`, as(acme.member)))
      .body;
  const show = (what: string) => repository.git('show', '-s', `--format=${what}`, 'topic');
  return { apply, comment, head, id, list, repository, show };
}

describe('201', () => {
  it('commits suggestions for several files at once, with who suggested as co-author; neither can approve', async () => {
    const { apply, comment, head, id, list, repository, show } = await start();
    const first = await comment('a.ts', 2, suggest('two', 'and a half'));
    const second = await comment('b.ts', 1, suggest('vier'), 2, acme.owner);
    // git reads no trailers after such a line.
    const scissors = `# ${'-'.repeat(24)} >8 ${'-'.repeat(24)}`;
    const answer = await apply([first, second], { message: `Apply 2 suggestions from review\n${scissors}` });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const { commit, files } = answer.body;
    expect(files).toEqual(['a.ts', 'b.ts']);
    expect(await repository.git('rev-parse', 'topic')).toBe(commit);
    expect(await repository.git('rev-parse', 'topic^')).toBe(head);
    expect(await repository.git('show', 'topic:a.ts')).toBe('one\ntwo\nand a half\nthree');
    expect(await repository.git('show', 'topic:b.ts')).toBe('vier');
    expect(await show('%an <%ae>')).toBe(`${acme.member.name} <${acme.member.email}>`);
    const body = await show('%B');
    for (const { email, name } of [acme.admin, acme.owner])
      expect(body).toContain(`Co-authored-by: ${name} <${email}>`);
    // Known at once, before the branch is fetched.
    const [shown] = (await list(id)).discussions[0].comments;
    expect(shown.appliedSuggestions).toEqual([
      { index: 0, commit, by: acme.member.name, at: expect.any(String) },
    ]);
    await repository.refresh();
    await follower.run(db, clock.now());
    const { events } = (await service.request('GET', `/api/v2/pull-requests/${id}/activity`, as(acme.admin)))
      .body;
    expect(events[0]).toMatchObject({
      kind: 'pull_request_pushed',
      actor: { id: acme.member.userId },
      data: { headCommit: commit, suggestions: 2 },
    });
    for (const person of [acme.member, acme.admin]) {
      const approved = await service.request('POST', `/api/v2/pull-requests/${id}/reviews`, {
        as: withSession(person),
        body: { verdict: 'approved', commit },
      });
      expect([approved.status, approved.body.code]).toEqual([403, 'forbidden']);
    }
    // Their addresses in the commit could be others by now; the push itself is theirs.
    await db
      .updateTable('users')
      .set({ email: 'new@acme.example' })
      .where('id', '=', acme.member.userId)
      .execute();
    const approve = { verdict: 'approved', commit };
    const path = `/api/v2/pull-requests/${id}/reviews`;
    expect((await service.request('POST', path, { ...as(acme.member), body: approve })).status).toBe(403);
    await db
      .updateTable('users')
      .set({ email: acme.member.email })
      .where('id', '=', acme.member.userId)
      .execute();
    const { mergeRequirements } = (
      await service.request('GET', `/api/v2/pull-requests/${id}`, as(acme.owner))
    ).body;
    expect(mergeRequirements.isMet).toBe(false);
    expect((await apply([first])).body.detail).toContain('New commits were pushed');
    const again = await apply([first], { expectedHead: commit });
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);

    // Nor after somebody squashed it all and who suggested deleted their comment.
    const deletion = `/api/v2/pull-requests/${id}/comments/${first}`;
    expect((await service.request('DELETE', deletion, as(acme.admin))).status).toBeLessThan(300);
    const squashed = await repository.git('commit-tree', 'topic^{tree}', '-p', 'main', '-m', 'Squashed');
    await repository.git('update-ref', 'refs/heads/topic', squashed);
    await repository.refresh();
    await follower.run(db, clock.now());
    const verdict = { verdict: 'approved', commit: squashed };
    for (const person of [acme.member, acme.admin])
      expect((await service.request('POST', path, { ...as(person), body: verdict })).body.code).toBe(
        'forbidden',
      );
  });
});

it('names a co-author who has left, with their own address, and nobody for a deleted account', async () => {
  const { apply, comment, show } = await start();
  const person = async (name: string) => {
    const user = await makeUser(db, { name, email: `${name.toLowerCase()}@acme.example` }, clock.now());
    return makePerson(db, acme.id, user, 'member', clock.now());
  };
  const [left, deleted] = [await person('Lea'), await person('Dan')];
  const first = await comment('a.ts', 2, suggest('by Lea'), 2, left);
  const second = await comment('b.ts', 1, suggest('by Dan'), 1, deleted);
  await db
    .updateTable('memberships')
    .set({ deactivated_at: clock.now() })
    .where('user_id', '=', left.userId)
    .execute();
  await deletePerson(db, { ...deleted, id: deleted.userId }, clock.now());
  // Somebody else has it by now.
  await makeUser(db, { name: 'Eve', email: deleted.email }, clock.now());
  expect((await apply([first, second])).status).toBe(201);
  expect(await show('%(trailers)')).toBe(`Co-authored-by: ${left.name} <${left.email}>`);
});

describe('409, and nothing is pushed', () => {
  it('for overlapping suggestions, naming them, and for a head that moved at the origin alone', async () => {
    const { apply, comment, head, repository } = await start();
    const whole = await comment('a.ts', 1, suggest('x'), 2);
    const line = await comment('a.ts', 2, suggest('y'));
    expect((await apply([whole, line])).body.detail).toContain('a.ts:1-2 and a.ts:2');
    expect(await repository.git('rev-parse', 'topic')).toBe(head);
    const moved = await repository.commit({ 'c.ts': 'c\n' }, { branch: 'topic', from: head });
    const answer = await apply([line]);
    expect([answer.status, answer.body.detail]).toEqual([
      409,
      expect.stringContaining('topic moved meanwhile'),
    ]);
    expect(await repository.git('rev-parse', 'topic')).toBe(moved);
  });

  it('for a comment that was edited, a masked token, and what would change nothing', async () => {
    const { apply, comment, head, repository } = await start();
    const one = await comment('a.ts', 1, suggest('x'));
    const seen = (text: string) => apply([], { suggestions: [{ commentId: one, text }] });
    expect((await seen('what was there')).body.detail).toContain('was edited');
    const token = `ghp_${'aB3dE6gH9jK2'.repeat(3)}`;
    const leaked = await comment('a.ts', 2, suggest(`const token = '${token}';`));
    expect((await apply([leaked])).body.detail).toContain('masked');
    expect((await apply([await comment('a.ts', 3, suggest('three'))])).body.detail).toContain(
      'change nothing',
    );
    expect(await repository.git('rev-parse', 'topic')).toBe(head);
    expect((await seen('x')).status).toBe(201);
  });

  it('for a branch that only merges move; a rule for every branch protects none, and the hook lets it pass', async () => {
    const { apply, comment, head, id, list, repository } = await start();
    const made = await comment('a.ts', 1, suggest('1'));
    const rule = (pattern: string) =>
      service.request('PUT', '/api/v2/merge-rules', { ...as(acme.admin), body: { pattern } });
    const { rules } = (await rule('top*')).body;
    expect((await apply([made])).body.detail).toContain('only merges move it');
    expect((await list(id)).suggestionsBlocked).toContain('top*');
    await service.request('DELETE', `/api/v2/merge-rules/${rules[0].id}`, as(acme.admin));
    await rule('**');
    expect((await list(id)).suggestionsBlocked).toBeNull();
    const { commit } = (await apply([made])).body;
    const check = async (from: string, to: string, branch = 'topic') => {
      const body = { repository: repository.fullName, updates: [{ branch, from, to }] };
      return (await service.request('POST', '/api/v2/pushes/check', { ...as(acme.viewer), body })).body
        .refused;
    };
    expect(await check(head, commit)).toEqual([]);
    expect(await check(commit, head)).toHaveLength(1);
    expect(await check(head, commit, 'main')).toHaveLength(1);
    await db.updateTable('pull_requests').set({ head_branch: 'main' }).where('id', '=', id).execute();
    expect((await apply([made])).body.detail).toContain('default branch');
    await db.deleteFrom('merge_rules').execute();
  });

  it('when the server refuses the push, and says why; nothing is recorded', async () => {
    const { apply, comment, head, id, repository } = await start();
    const made = await comment('a.ts', 1, suggest('1'));
    const hook = join(repository.folder, 'hooks', 'pre-receive');
    await writeFile(hook, '#!/bin/sh\necho "Freeze until Monday."\nexit 1\n');
    await chmod(hook, 0o755);
    expect((await apply([made])).body.detail).toContain('Freeze until Monday.');
    await rm(hook);
    const rows = db.selectFrom('suggestion_commits').select('id').where('pull_request_id', '=', id);
    expect(await rows.execute()).toEqual([]);
    expect(await repository.git('rev-parse', 'topic')).toBe(head);
  });

  it('of two people who apply at once, one does', async () => {
    const { apply, comment } = await start();
    const [a, b] = [await comment('a.ts', 1, suggest('1')), await comment('b.ts', 1, suggest('4'))];
    const both = await Promise.all([apply([a]), apply([b], {}, withSession(acme.owner))]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('on a code host, for a closed pull request, and for lines of the old version', async () => {
    const { apply, comment, id } = await start();
    const made = await comment('a.ts', 1, suggest('1'));
    await db.updateTable('discussions').set({ side: 'old' }).where('pull_request_id', '=', id).execute();
    expect((await apply([made])).status).toBe(409);
    await db.updateTable('pull_requests').set({ state: 'closed' }).where('id', '=', id).execute();
    expect((await apply([made])).body.detail).toContain('while the pull request is open');
  });
});

it('is for people who may write, in their organization', async () => {
  const { apply, comment, id } = await start();
  const made = await comment('a.ts', 1, suggest('1'));
  expect((await apply([made], {}, withSession(acme.viewer))).status).toBe(403);
  expect((await apply([made], {}, withKey(acme.member))).status).toBe(403);
  expect((await apply([made], {}, withSession(globex.owner))).status).toBe(404);
  const path = `/api/v2/pull-requests/${id}/discussions`;
  const { suggestionsBlocked } = (await service.request('GET', path, as(acme.viewer))).body;
  expect(suggestionsBlocked).toContain('Only members');
  const other = await start();
  expect((await other.apply([made])).status, 'a comment of another pull request').toBe(404);
  expect((await apply([made], { suggestions: [{ commentId: made, index: 1 }] })).status).toBe(404);
});
