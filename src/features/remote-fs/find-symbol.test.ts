/** Definitions and references of a symbol, in one repository and in all that the caller can see. */
import { describe, expect, it, vi } from 'vitest';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, globex } = service;
const prices = await addRepository(
  service,
  {
    'src/total.ts': 'export function totalOf(items: number[]) {\n  return items.length; // totalOf\n}\n',
    'src/cart.ts': "import { totalOf } from './total.ts';\nexport const sum = totalOf([1]);\n",
    'src/total.test.ts': "import { totalOf } from './total.ts';\nit('totalOf', () => totalOf([]));\n",
  },
  { fullName: 'acme/prices' },
);
await addRepository(service, { 'shop.py': 'def totalOf():\n    pass\n' }, { fullName: 'acme/shop' });

const find = (query: Record<string, string>, person = acme.viewer) =>
  service.request('GET', `/api/v2/remote-fs/symbols?${new URLSearchParams(query)}`, {
    as: withSession(person),
  });
// Facts are read when they are asked for: on a busy machine, a caller is told to come back.
for (const repository of ['prices', 'shop'])
  await vi.waitFor(async () => expect((await find({ name: 'a', repository })).status).toBe(200), 60_000);

describe('find-symbol', () => {
  it('finds definitions and references in one repository, without comments and strings', async () => {
    const { body, status } = await find({ name: 'totalOf', repository: 'prices' });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toEqual({
      repositories: [
        {
          repository: { id: prices.id, name: 'acme/prices' },
          commit: await prices.git('rev-parse', 'main'),
          definitions: [
            {
              path: 'src/total.ts',
              line: 1,
              endLine: 3,
              kind: 'function',
              container: null,
              isExported: true,
            },
          ],
          references: [
            { path: 'src/cart.ts', line: 1 },
            { path: 'src/cart.ts', line: 2 },
            { path: 'src/total.test.ts', line: 1 },
            { path: 'src/total.test.ts', line: 2 },
          ],
          moreDefinitions: 0,
          moreReferences: 0,
        },
      ],
      leftOut: [],
    });
  });

  it('looks at all repositories that the caller can see, those with definitions first', async () => {
    const { body } = await find({ name: 'totalOf' });
    expect(
      body.repositories.map(({ repository }: { repository: { name: string } }) => repository.name),
    ).toEqual(['acme/prices', 'acme/shop']);
    expect((await find({ name: 'sum' })).body.repositories).toHaveLength(1);
    expect((await find({ name: 'totalOf' }, globex.admin)).body).toEqual({ repositories: [], leftOut: [] });
  });

  it('filters by kind and reads other refs', async () => {
    const ofKind = await find({ name: 'totalOf', repository: 'prices', kind: 'class' });
    expect(ofKind.body.repositories[0].definitions).toEqual([]);
    await prices.commit({ 'src/total.ts': 'export const totalOf = 1;\n' }, { branch: 'next' });
    await prices.refresh();
    const onBranch = await find({ name: 'totalOf', repository: 'prices', ref: 'next' });
    expect(onBranch.body.repositories[0].definitions).toMatchObject([{ kind: 'constant', line: 1 }]);
  });

  it('puts first what a file most likely means: its own, what it imports, what is near', async () => {
    await addRepository(
      service,
      {
        'a/run.ts': 'export const run = 1;\n',
        'b/run.ts': 'export const run = 2;\n',
        'b/other.ts': 'export const run = 3;\n',
        'b/run.test.ts': 'const run = 4;\n',
        'b/uses-a.ts': "import { run } from '../a/run.ts';\nrun;\n",
        'b/uses-other.ts': "import { run } from './other';\nrun;\n",
        'a/near.ts': 'run;\n',
        'py/pkg/mod.py': 'def run():\n    pass\n',
        'py/main.py': 'from pkg.mod import run\nrun()\n',
      },
      { fullName: 'acme/runs' },
    );
    const firstFor = async (from: string) => {
      const { body } = await find({ name: 'run', repository: 'runs', from });
      return body.repositories?.[0].definitions.map(({ path }: { path: string }) => path)[0];
    };
    await vi.waitFor(async () => expect(await firstFor('b/uses-a.ts')).toBe('a/run.ts'), 60_000);
    expect(await firstFor('b/uses-other.ts')).toBe('b/other.ts');
    expect(await firstFor('b/run.ts')).toBe('b/run.ts');
    expect(await firstFor('b/run.test.ts')).toBe('b/run.test.ts');
    expect(await firstFor('a/near.ts')).toBe('a/run.ts');
    expect(await firstFor('py/main.py')).toBe('py/pkg/mod.py');
    expect(await firstFor('gone.ts')).toBe('a/run.ts');
    expect((await find({ name: 'run', repository: 'runs', from: '../run.ts' })).status).toBe(400);
  });

  it('refuses an unknown repository, an unknown ref and a missing name', async () => {
    expect((await find({ name: 'a', repository: 'nowhere' })).status).toBe(404);
    expect((await find({ name: 'a', repository: 'acme/prices', ref: 'nowhere' })).status).toBe(404);
    expect((await find({ name: ' ' })).status).toBe(400);
    expect((await find({ name: 'a', repository: 'acme/prices' }, globex.admin)).status).toBe(404);
  });
});
