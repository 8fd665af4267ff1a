/** `countersign pull-request` in this process: open with a fetch, list, and close. */
import { afterAll, describe, expect, it } from 'vitest';
import { makeRepository } from '../../../test/helpers/git/git-fixtures.ts';
import { startOperatorCommands } from '../../../test/helpers/processes/operator-commands.ts';
import { operatorOf } from '../../features/audit/index.ts';
import { createRepository } from '../../features/repositories/index.ts';
import { makeTeam } from '../../features/teams/index.ts';
import { openSecrets } from '../../platform/secrets/index.ts';
import { pullRequestClose, pullRequestList, pullRequestOpen } from './pull-request.ts';

const { acme, config, db, run } = await startOperatorCommands({ repository: 'api' });
const fixture = await makeRepository({ 'a.txt': 'a\n' });
const repository = {
  name: 'acme/api',
  url: fixture.folder,
  credential: null,
  visibility: 'organization' as const,
  memberIds: [],
  addedByOperator: true,
};
await createRepository(
  db,
  await openSecrets({ db, file: config.secretFile }),
  repository,
  operatorOf(acme.id, new Date()),
);
await fixture.commit({ 'b.txt': 'b\n' }, { branch: 'feature', from: await fixture.git('rev-parse', 'main') });

afterAll(() => fixture.remove());

describe('pull-request', { timeout: 60_000 }, () => {
  it('opens one for a branch that was just pushed and prints its number and address, then lists and closes it', async () => {
    const wanted = { head: 'feature', title: 'Add b', email: acme.member.email };
    expect(await run(pullRequestOpen, { ...wanted, base: 'main' })).toMatch(
      /^1\nhttp:\/\/.+\/pull-requests\/[0-9a-f-]{36}\n$/,
    );
    await expect(run(pullRequestOpen, wanted)).rejects.toThrow('#1 is already open for feature into main.');

    const listed = JSON.parse(await run(pullRequestList, { json: true }));
    expect(listed).toMatchObject([
      {
        number: 1,
        title: 'Add b',
        state: 'open',
        author: { id: acme.member.userId, name: acme.member.name },
      },
    ]);
    const events = await db.selectFrom('events').select(['kind', 'actor_user_id']).execute();
    expect(events).toContainEqual({ kind: 'pull_request_opened', actor_user_id: acme.member.userId });
    expect(await run(pullRequestList)).toMatch(/^NUMBER +STATE +TITLE.*\n1 +open +Add b /);

    expect(await run(pullRequestClose, { number: '1' })).toBe('Closed acme/api#1.\n');
    await expect(run(pullRequestClose, { number: '1' })).rejects.toThrow('acme/api#1 is closed already');
    await expect(run(pullRequestClose, { number: '7' })).rejects.toThrow('acme/api has no pull request #7');
    expect(await run(pullRequestList)).toBe('No pull requests.\n');

    const again = JSON.parse(
      await run(pullRequestOpen, { head: 'feature', title: 'Again', draft: true, json: true }),
    );
    expect(again).toEqual({
      id: expect.any(String),
      number: 2,
      repository: 'acme/api',
      title: 'Again',
      url: expect.stringContaining(`/pull-requests/${again.id}`),
    });
    expect(JSON.parse(await run(pullRequestList, { state: 'draft', json: true }))).toMatchObject([
      { number: 2, author: { kind: 'person', id: null, name: 'Operator' } },
    ]);
  });

  it('asks whom --reviewer names, members and teams, never the author, and opens nothing for a name that nobody has', async () => {
    await makeTeam(db, operatorOf(acme.id, new Date()), {
      name: 'core',
      group: null,
      userIds: [acme.viewer.userId, acme.admin.userId],
    });
    await fixture.commit(
      { 'c.txt': 'c\n' },
      { branch: 'asked', from: await fixture.git('rev-parse', 'main') },
    );
    const wanted = { head: 'asked', title: 'Ask', email: acme.member.email };
    const handle = (email: string) => email.split('@')[0]!;
    await expect(run(pullRequestOpen, { ...wanted, reviewer: 'nobody' })).rejects.toThrow();
    await expect(run(pullRequestOpen, { ...wanted, reviewer: handle(acme.member.email) })).rejects.toThrow();
    expect(JSON.parse(await run(pullRequestList, { state: 'all', json: true }))).not.toContainEqual(
      expect.objectContaining({ title: 'Ask' }),
    );
    const opened = JSON.parse(
      await run(pullRequestOpen, { ...wanted, reviewer: ` @${handle(acme.owner.email)}, core`, json: true }),
    );
    const requests = await db
      .selectFrom('pull_request_review_requests')
      .select(['user_id', 'team_id', 'name'])
      .where('pull_request_id', '=', opened.id)
      .execute();
    expect(requests).toHaveLength(2);
    expect(requests).toContainEqual({ user_id: acme.owner.userId, team_id: null, name: acme.owner.name });
    expect(requests).toContainEqual({ user_id: null, team_id: expect.any(String), name: 'core' });
  });

  it('refuses what it cannot open', async () => {
    await expect(run(pullRequestOpen, { head: 'nowhere', title: 'T' })).rejects.toThrow(
      'no branch named nowhere',
    );
    await expect(run(pullRequestOpen, { head: 'feature', title: ' ' })).rejects.toThrow(
      '--title is required',
    );
    await expect(run(pullRequestList, { repository: 'none' })).rejects.toThrow('no repository named none');
    await expect(run(pullRequestList, { state: 'x' })).rejects.toThrow('--state must be one of');
    await expect(run(pullRequestClose, { number: 'x' })).rejects.toThrow('--number');
  });
});
