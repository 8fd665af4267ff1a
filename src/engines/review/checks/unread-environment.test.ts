/** Variables whose last reader was removed while deployment files still set them, in real repositories. */
import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../../test/helpers/git/review-change.ts';

const COMPOSE = 'services:\n  shop:\n    build: .\n    environment:\n      - SHOP_LIMIT=3\n';
const READER = 'export const limit = Number(process.env.SHOP_LIMIT ?? 3);\n';
const NO_READER = 'export const limit = 3;\n';

const inShell = (name: string) => `\${${name}}`;

/** The findings when `src/limit.ts` no longer reads the variable. */
async function findUnread(
  others: Record<string, string>,
  after: Record<string, string> = {},
): Promise<string[]> {
  return findingsOf(
    { 'src/limit.ts': READER, ...others },
    { 'src/limit.ts': NO_READER, ...after },
    'unread_environment_variable',
  );
}

const FOUND = ['unread_environment_variable src/limit.ts:1 SHOP_LIMIT is still set but no longer read'];

describe('unread_environment_variable', () => {
  it.each<[string, string, string]>([
    ['Compose', 'compose.yaml', COMPOSE],
    [
      'an example in Compose',
      'compose.yaml',
      'services:\n  shop:\n    build: .\n    environment:\n      - A_B=1\n      # - SHOP_LIMIT=3\n',
    ],
    ['an env file', '.env.example', '# The limit.\nSHOP_LIMIT=3\n'],
    ['a Dockerfile', 'Dockerfile', 'FROM node\nENV SHOP_LIMIT=3\n'],
    ['a workflow', '.github/workflows/test.yml', 'on: push\njobs:\n  a:\n    env:\n      SHOP_LIMIT: 3\n'],
    [
      'Kubernetes',
      'deploy/shop.yaml',
      'apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n        - name: shop\n          env:\n            - name: SHOP_LIMIT\n              value: "3"\n',
    ],
    ['a value that is passed on', 'compose.yaml', COMPOSE.replace('=3', `=${inShell('SHOP_LIMIT')}`)],
  ])('finds what is set in %s', async (_, path, text) => {
    expect(await findUnread({ [path]: text })).toEqual(FOUND);
    expect(
      await findUnread({ [path]: text }, { [path]: text.replaceAll('SHOP_LIMIT', 'SHOP_MAXIMUM') }),
    ).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['other code', 'lib/read.py', 'import os\nLIMIT = os.environ["SHOP_LIMIT"]\n'],
    ['a script', 'start.sh', 'exec shop --limit "$SHOP_LIMIT"\n'],
    ['a test', 'test/limit.test.ts', "process.env.SHOP_LIMIT = '3';\n"],
    ['a step of a build', 'Dockerfile', 'FROM node\nENV SHOP_LIMIT=3\nRUN echo $SHOP_LIMIT\n'],
    ['another variable', 'other.env', `OTHER_LIMIT=${inShell('SHOP_LIMIT')}\n`],
    [
      'settings by their name',
      'shop/settings.py',
      'class Settings(BaseSettings):\n    shop_limit: int = 3\n',
    ],
    [
      'settings below a prefix',
      'shop/settings.go',
      'package shop\n\ntype Shop struct {\n\tShopLimit int\n}\n',
    ],
    [
      'names that are put together',
      'src/read.ts',
      `export const read = (key: string) => process.env[\`SHOP_${inShell('key')}\`];\n`,
    ],
    ['a key of settings', 'src/read.ts', "export const limit = settings.get('shop.limit');\n"],
  ])('says nothing when it may be read by %s', async (_, path, text) => {
    expect(await findUnread({ 'compose.yaml': COMPOSE, [path]: text })).toEqual([]);
  });

  it('says nothing about what only documents name, and what programs read on their own', async () => {
    expect(
      await findUnread({ 'README.md': 'Set `SHOP_LIMIT=3`.\n', 'CHANGELOG.md': 'SHOP_LIMIT\n' }),
    ).toEqual([]);
    const own = { 'src/db.ts': 'export const url = process.env.DATABASE_URL + process.env.POSTGRES_USER;\n' };
    const settings = {
      'compose.yaml': COMPOSE.replace('SHOP_LIMIT=3', 'DATABASE_URL=x\n      - POSTGRES_USER=y'),
    };
    const after = { 'src/db.ts': "export const url = '';\n" };
    expect(await findingsOf({ ...own, ...settings }, after, 'unread_environment_variable')).toEqual([]);
  });

  it('says nothing about variables that begin like a library of the repository', async () => {
    const name = 'SHOP_MODELS_FOLDER';
    const files = { 'src/limit.ts': READER.replace('SHOP_LIMIT', name), '.env.example': `${name}=3\n` };
    const find = (requirements: string) =>
      findingsOf(
        { ...files, 'requirements.txt': requirements },
        { 'src/limit.ts': NO_READER },
        'unread_environment_variable',
      );
    expect(await find('flask==1.0\nshop-models==1.0\n')).toEqual([]);
    expect(await find('flask==1.0\n')).toHaveLength(1);
  });

  it('finds what only a bundler puts into pages', async () => {
    const name = 'NEXT_PUBLIC_SHOP_LIMIT';
    const before = { 'src/limit.ts': READER.replace('SHOP_LIMIT', name), '.env.example': `${name}=3\n` };
    expect(await findingsOf(before, { 'src/limit.ts': NO_READER }, 'unread_environment_variable')).toEqual([
      `unread_environment_variable src/limit.ts:1 ${name} is still set but no longer read`,
    ]);
  });

  it('finds it when the only file that reads it is deleted', async () => {
    const before = { 'src/limit.ts': READER, 'compose.yaml': COMPOSE };
    expect(
      await findingsOf(before, { 'src/limit.ts': null as never }, 'unread_environment_variable'),
    ).toEqual(FOUND);
  });
});
