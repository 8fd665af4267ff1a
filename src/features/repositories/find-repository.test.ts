/** How names and refs are resolved, for every endpoint. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { startTestService } from '../../../test/helpers/service/harness.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { matchRepositories, resolveRepository, selectRepositoriesById } from './index.ts';
import { nearNames } from './near-names.ts';
import { suggestRepositories } from './store/find-repository-store.ts';
import { replaceRefs, resolveRef } from './store/ref-store.ts';

const { acme, db, globex } = await startTestService();
const owner = acme.owner;

async function make(
  name: string,
  more: { visibility?: 'organization' | 'members'; organizationId?: string } = {},
): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('repositories')
    .values({
      id,
      organization_id: more.organizationId ?? acme.id,
      name,
      visibility: more.visibility ?? 'organization',
      state: 'ready',
      head_commit: 'a'.repeat(40),
      default_branch: 'main',
      created_at: new Date(),
    })
    .execute();
  return id;
}

beforeEach(() => db.deleteFrom('repositories').execute());

describe('a name', () => {
  it('resolves to the repository with exactly that name, else the only one that ends in it, ignoring case', async () => {
    const api = await make('Acme/API');
    const bare = await make('tools');
    await make('acme/tools');
    for (const name of ['Acme/API', 'acme/api', 'api', 'API']) {
      expect(await resolveRepository(db, owner, name), name).toEqual({
        kind: 'one',
        repository: {
          id: api,
          name: 'Acme/API',
          state: 'ready',
          head_commit: 'a'.repeat(40),
          default_branch: 'main',
        },
      });
    }
    expect(await resolveRepository(db, owner, 'tools')).toMatchObject({
      kind: 'one',
      repository: { id: bare },
    });
    expect(await resolveRepository(db, owner, 'cme/api')).toEqual({ kind: 'none' });
    expect(await resolveRepository(db, owner, '%')).toEqual({ kind: 'none' });
  });

  it('that several repositories end in returns their full names in order', async () => {
    for (const name of ['zeta/api', 'acme/api', 'Beta/api']) await make(name);
    expect(await resolveRepository(db, owner, 'API')).toEqual({
      kind: 'several',
      candidates: ['acme/api', 'Beta/api', 'zeta/api'],
    });
  });

  it('never resolves to another organization’s repository, nor to one the reader cannot see', async () => {
    const hidden = await make('acme/hidden', { visibility: 'members' });
    const seen = await make('other/hidden');
    await make('globex/only', { organizationId: globex.id });
    expect(await resolveRepository(db, owner, 'only')).toEqual({ kind: 'none' });
    expect(await resolveRepository(db, acme.member, 'acme/hidden')).toEqual({ kind: 'none' });
    expect(await resolveRepository(db, acme.member, 'hidden')).toMatchObject({ repository: { id: seen } });
    expect(await resolveRepository(db, owner, 'hidden')).toMatchObject({ kind: 'several' });
    expect((await matchRepositories(db, acme.viewer, ['hidden'])).get('hidden')).toMatchObject([
      { id: seen },
    ]);
    expect(await selectRepositoriesById(db, acme.viewer, [hidden, seen])).toMatchObject([{ id: seen }]);
    await db
      .insertInto('repository_members')
      .values({ repository_id: hidden, organization_id: acme.id, user_id: acme.viewer.userId })
      .execute();
    expect(await resolveRepository(db, acme.viewer, 'acme/hidden')).toMatchObject({
      repository: { id: hidden },
    });
  });
});

describe('an unknown repository name', () => {
  it('returns similar names', async () => {
    await make('acme/payments');
    expect(await suggestRepositories(db, owner, 'paymets')).toEqual(['acme/payments']);
    expect(await suggestRepositories(db, owner, 'unrelated')).toEqual([]);
  });

  it('returns only names that the reader can see', async () => {
    const repositories = fc.uniqueArray(
      fc.record({
        name: fc.stringMatching(/^(acme|beta)\/ap[ip]{1,3}$/),
        visibility: fc.constantFrom('organization', 'members'),
        organization: fc.constantFrom('acme', 'globex'),
        isMember: fc.boolean(),
      }),
      { selector: ({ name, organization }) => `${organization} ${name}`, minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(repositories, async (some) => {
        await db.deleteFrom('repositories').execute();
        for (const { isMember, name, organization, visibility } of some) {
          const organizationId = organization === 'acme' ? acme.id : globex.id;
          const id = await make(name, { visibility, organizationId });
          if (isMember && organization === 'acme') {
            await db
              .insertInto('repository_members')
              .values({ repository_id: id, organization_id: acme.id, user_id: acme.viewer.userId })
              .execute();
          }
        }
        const visible = some.filter(
          ({ isMember, organization, visibility }) =>
            organization === 'acme' && (visibility === 'organization' || isMember),
        );
        const names = visible.map(({ name }) => name);
        const suggested = await suggestRepositories(db, acme.viewer, 'other/apii');
        expect(suggested.filter((name) => !names.includes(name))).toEqual([]);
        expect(suggested.length > 0).toBe(names.some((name) => nearNames('other/apii', [name]).length > 0));
      }),
      { numRuns: 30 },
    );
  });
});

describe('a ref', () => {
  const commit = (letter: string) => letter.repeat(40);
  const ref = (kind: 'branch' | 'tag', name: string, letter: string) => ({
    kind,
    name,
    commit: commit(letter),
  });

  it('resolves to the branch before the tag, in short and full form, case-sensitively', async () => {
    const id = await make('acme/api');
    const other = await make('acme/other');
    await replaceRefs(db, { id, organizationId: acme.id }, [
      ref('branch', 'v1', 'a'),
      ref('tag', 'v1', 'b'),
      ref('tag', 'v2', 'c'),
      ref('branch', 'refs/heads/odd', 'd'),
    ]);
    const meaning = async (name: string) => (await resolveRef(db, id, name))?.[0];
    expect(await meaning('v1')).toBe('a');
    expect(await meaning('refs/heads/v1')).toBe('a');
    expect(await meaning('refs/tags/v1')).toBe('b');
    expect(await meaning('v2')).toBe('c');
    expect(await meaning('refs/tags/v2')).toBe('c');
    expect(await meaning('refs/heads/v2')).toBeUndefined();
    expect(await meaning('refs/heads/odd')).toBe('d');
    for (const name of ['V1', '', 'HEAD', '--output=x', '..', 'v1^', "v1'", 'refs/heads/']) {
      expect(await meaning(name), name).toBeUndefined();
    }
    expect(await resolveRef(db, other, 'v1')).toBeUndefined();
  });

  it('is written only where it differs, even among 25,000', async () => {
    const id = await make('acme/many');
    const repository = { id, organizationId: acme.id };
    const refs = Array.from({ length: 25_000 }, (_, index) => ref('tag', `v${index}`, 'a'));
    await replaceRefs(db, repository, refs);
    const versions = async () => {
      const rows = await db
        .selectFrom('repository_refs')
        .select((expression) => ['name', 'commit', expression.ref('xmin' as never).as('xmin')])
        .where('repository_id', '=', id)
        .execute();
      return new Map(rows.map((row) => [row.name, row]));
    };
    const before = await versions();
    const next = [...refs.slice(2), ref('tag', 'v1', 'b'), ref('branch', 'v0', 'c')];
    await replaceRefs(db, repository, next);
    const after = await versions();
    expect(after.size).toBe(25_000);
    expect(after.get('v1')!.commit).toBe(commit('b'));
    expect(after.get('v0')!.commit).toBe(commit('c'));
    const touched = [...after.keys()].filter((name) => after.get(name)!.xmin !== before.get(name)!.xmin);
    expect(touched.sort()).toEqual(['v0', 'v1']);
  });
});
