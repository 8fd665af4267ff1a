/** Where references in texts lead: only to what the reader can see. */
import { expect, it } from 'vitest';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { makePullRequest, makeRepositoryRow } from '../../../test/helpers/rows/pull-requests.ts';
import { makePerson, makeUser, type Person } from '../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, globex } = service;
const code = await addRepository(service, { 'a.txt': 'one\n' }, { fullName: 'acme/api' });
const head = await code.git('rev-parse', 'main');
const hidden = await makeRepositoryRow(service, acme.id, { name: 'acme/hidden' });

const resolve = async (person: Person, references: string[], repositoryId: string | undefined = code.id) => {
  const body = { references, repositoryId };
  const reply = await service.request('POST', '/api/v2/references', { as: withSession(person), body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.references as { reference: string; kind: string; id: string; title: string }[];
};

it('finds people, teams, pull requests and commits, and nothing of what the reader can’t see', async () => {
  const as = withSession(acme.admin);
  const { body: team } = await service.request('POST', '/api/v2/teams', { as, body: { name: 'core' } });
  const visibility = { visibility: 'members', memberIds: [] };
  await service.request('PATCH', `/api/v2/repositories/${hidden.id}`, { as, body: visibility });
  const open = await makePullRequest(service, code, { title: 'Visible' });
  const secret = await makePullRequest(service, hidden, { title: 'Secret' });
  const email = `@${(await service.db.selectFrom('users').select('email').where('id', '=', acme.member.userId).executeTakeFirstOrThrow()).email}`;
  const asked = [
    ...[email, '@Core', '@nobody', `#${open.number}`, `ACME/api#${open.number}`, '#999999999'],
    ...[`acme/hidden#${secret.number}`, head.slice(0, 8), 'dddddddd1', 'words'],
  ];
  const found = await resolve(acme.member, asked);
  expect(found.map(({ id, kind, reference, title }) => [reference, kind, id, title])).toEqual([
    [email, 'person', acme.member.userId, acme.member.name],
    ['@Core', 'team', team.id, 'core'],
    [`#${open.number}`, 'pull_request', open.id, 'Visible'],
    [`ACME/api#${open.number}`, 'pull_request', open.id, 'Visible'],
    [head.slice(0, 8), 'commit', head, head.slice(0, 8)],
  ]);
  const hiddenHere = [`#${secret.number}`, head.slice(0, 8)];
  expect(await resolve(acme.member, hiddenHere, hidden.id)).toEqual([]);
  expect(await resolve(acme.admin, [`acme/hidden#${secret.number}`])).toMatchObject([{ id: secret.id }]);
  expect(await resolve(globex.owner, asked)).toEqual([]);
  expect(await resolve(globex.owner, asked, hidden.id)).toEqual([]);
});

it('completes names of teams and of people who can see the repository', async () => {
  const { db, clock } = service;
  const add = async (name: string, email: string) =>
    makePerson(db, acme.id, await makeUser(db, { name, email }, clock.now()), 'member', clock.now());
  const [ada] = [await add('Ada Lovelace', 'ada@acme.example'), await add('Ada Byron', 'ada@other.example')];
  await add('Grace Love', 'core@acme.example');
  await add('Odd One', "lov'e@acme.example");
  const complete = async (query: string, by = acme.member, repositoryId?: string) => {
    const search = new URLSearchParams({ query, ...(repositoryId && { repositoryId }) });
    const { body, status } = await service.request('GET', `/api/v2/mentionable?${search}`, {
      as: withSession(by),
    });
    return status === 200
      ? body.candidates.map(({ handle, kind }: Record<string, string>) => `${kind} ${handle}`)
      : status;
  };
  // Both have the name `ada`, so only their addresses are clear; a name that nothing can mention is left out.
  expect(await complete('LOV')).toEqual(['person ada@acme.example', 'person core@acme.example']);
  expect(await complete('ada')).toEqual(['person ada@other.example', 'person ada@acme.example']);
  expect(await complete('co')).toEqual(['team core', 'person core@acme.example']);
  expect(await complete('%')).toEqual([]);
  expect(await complete('ada', ada)).toEqual(['person ada@other.example']);
  expect(await complete('', globex.member)).not.toContain('team core');
  const handleOf = acme.owner.email.split('@')[0]!;
  expect(await complete('ada', acme.admin, hidden.id)).toEqual([]);
  expect(await complete(handleOf, acme.admin, hidden.id)).toEqual([expect.stringContaining(handleOf)]);
  expect(await complete('ada', acme.member, hidden.id)).toBe(404);
});
