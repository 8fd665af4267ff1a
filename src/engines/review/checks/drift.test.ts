/** Imports that no manifest declares, and names that documents and deployments are missing or still have, on real repositories. */
import { expect, it } from 'vitest';
import { describeReview, findingsOf, reviewChange } from '../../../../test/helpers/git/review-change.ts';
import type { LinkedPlan } from '../contract/code-review.ts';
import { CHECKS, chooseChecks } from './index.ts';
import { planConformance } from './plan-conformance.ts';

it('finds imports that no manifest declares but other packages need, and those that only developers get', async () => {
  const before = {
    'package.json': JSON.stringify({
      name: 'shop',
      dependencies: { react: '19.0.0' },
      devDependencies: { vitest: '5.0.0' },
    }),
    'pnpm-lock.yaml':
      "packages:\n\n  '@acme/tools@2.0.0':\n    resolution: {}\n\n  left-pad@1.0.0:\n    resolution: {}\n\n  very-left-pad@1.0.0: {}\n",
    'tsconfig.json': '{ "paths": { "@shop/*": ["./src/*"] } }\n',
    'src/old.ts': "import known from 'known-before';\n",
    'src/models/user.ts': 'export const user = 1;\n',
  };
  const after = {
    'src/a.ts':
      "import fs from 'fs';\nimport 'react/jsx-runtime';\nimport a from 'left-pad';\nimport b from '@acme/tools/text';\nimport c from '@shop/text';\nimport d from 'models/user';\nimport e from 'known-before';\nimport f from './b';\nimport 'virtual:pages';\nimport { it } from 'vitest';\nimport type { Test } from 'vitest';\nimport 'd3-source';\nimport Copy from '@theme-original/Copy';\nimport 'given-by-the-bundler';\n",
    'config/importmap.rb': 'pin "d3-source", to: "d3.js"\n',
    'src/a.test.ts': "import x from 'not-declared';\n",
    'scripts/b.ts': "import x from 'not-declared';\n",
    'other/c.py': 'import undeclared\n',
  };
  expect(await findingsOf(before, after, 'undeclared_import')).toEqual([
    'undeclared_import src/a.ts:3 left-pad is imported but not declared',
    'undeclared_import src/a.ts:4 @acme/tools is imported but not declared',
  ]);
  for (const [lock, count] of [
    ['{ "packages": { "node_modules/a/node_modules/left-pad": { "version": "1.0.0" } } }\n', 1],
    ['{ "packages": { "node_modules/left-pads": { "version": "1.0.0" } } }\n', 0],
    ['{ "packages": { "node_modules/@acme/left-pad": { "version": "1.0.0" } } }\n', 0],
  ] as const) {
    const npm = { ...before, 'pnpm-lock.yaml': '', 'package-lock.json': lock };
    expect(await findingsOf(npm, after, 'undeclared_import')).toHaveLength(count);
  }
  expect(await findingsOf(before, after, 'development_dependency_import')).toEqual([
    'development_dependency_import src/a.ts:10 vitest is only a development dependency',
  ]);
});

it('finds imports of packages that are only in a lock file, which lists what other packages need', async () => {
  const manifest = '{ "name": "shop", "dependencies": { "debug": "4.3.4" }, "params": {} }\n';
  const npm = JSON.stringify(
    {
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { debug: '4.3.4' } },
        'node_modules/debug': { version: '4.3.4', dependencies: { '@acme/buffer': '^1.0.0', ms: '2.1.2' } },
        'node_modules/@acme/buffer': { version: '1.0.0' },
        'node_modules/ms': { version: '2.1.2' },
      },
    },
    null,
    2,
  );
  const yarn =
    '"@acme/buffer@^1.0.0":\n  version "1.0.0"\n\ndebug@4.3.4:\n  version "4.3.4"\n  dependencies:\n    "@acme/buffer" "^1.0.0"\n    ms "2.1.2"\n\nms@2.1.2:\n  version "2.1.2"\n';
  const after = { 'src/a.ts': "import ms from 'ms';\nimport buffer from '@acme/buffer';\n" };
  const found = [
    'undeclared_import src/a.ts:1 ms is imported but not declared',
    'undeclared_import src/a.ts:2 @acme/buffer is imported but not declared',
  ];
  for (const [path, lock] of Object.entries({ 'package-lock.json': npm, 'yarn.lock': yarn })) {
    const before = { 'package.json': manifest, [path]: lock };
    expect(await findingsOf(before, after, 'undeclared_import')).toEqual(found);
    const imported = { ...before, 'src/old.js': "require('ms');\nrequire('@acme/buffer/read');\n" };
    expect(await findingsOf(imported, after, 'undeclared_import')).toEqual([]);
  }
});

it('finds documents that still name removed variables, options, routes and exports', async () => {
  const before = {
    'src/server.ts':
      "import express from 'express';\nconst app = express();\napp.get('/api/reports/daily', daily);\nconst cache = process.env.CACHE_ADDRESS;\nconst log = process.env.LOG_FOLDER;\noption('--dry-run');\noption('--log-level');\nexport function renderDailyReport() {}\nexport function renderWeekly() {}\n",
    'docs/use.md':
      'Set `CACHE_ADDRESS`, then call `/api/reports/daily`.\nUse --dry-run to look first.\nCall `renderDailyReport()`.\n`LOG_FOLDER` was removed in 2.0.\nThe word renderWeekly in a sentence.\n',
    'docs/upgrading.md': 'Use --log-level instead of LOG_FOLDER.\n',
    'CHANGELOG.md': 'Added `CACHE_ADDRESS` and --log-level.\n',
  };
  const server = "import express from 'express';\nconst app = express();\n";
  expect(await findingsOf(before, { 'src/server.ts': server }, 'documented_but_removed')).toEqual([
    'documented_but_removed src/server.ts:6 The option --dry-run was removed but is still documented',
    'documented_but_removed src/server.ts:4 The environment variable CACHE_ADDRESS was removed but is still documented',
    'documented_but_removed src/server.ts:3 The route /api/reports/daily was removed but is still documented',
    'documented_but_removed src/server.ts:8 The export renderDailyReport was removed but is still documented',
  ]);
  const moved =
    "process.env.CACHE_ADDRESS;\noption('--dry-run');\nserve('/api/reports/daily');\nfunction renderDailyReport() {}\n";
  expect(
    await findingsOf(before, { 'src/server.ts': server, 'src/other.ts': moved }, 'documented_but_removed'),
  ).toEqual([]);
});

it('finds variables that code requires and nothing names, only where that check is switched on', async () => {
  const after = {
    'app.py':
      'import os\na = os.environ["QUEUE_ADDRESS"]\nb = os.environ["CACHE_ADDRESS"]\nc = os.environ.get("LOG_FOLDER")\nos.environ["OWN_NAME"] = "x"\n',
    'app.rb': 'ENV.fetch("MAIL_ADDRESS")\nENV.fetch("MAIL_NAME", "x")\n',
  };
  expect(
    await findingsOf({ '.env.example': 'CACHE_ADDRESS=x\n' }, after, 'unset_environment_variable'),
  ).toEqual([
    'unset_environment_variable app.py:2 QUEUE_ADDRESS is required but never set',
    'unset_environment_variable app.rb:1 MAIL_ADDRESS is required but never set',
  ]);
  const off = CHECKS.filter(({ isOffByDefault }) => isOffByDefault).map(({ name }) => name);
  const names = (switchedOn: string[]) =>
    chooseChecks(['documentation_drift'], switchedOn).map(({ name }) => name);
  expect(off).toContain('unset_environment_variable');
  expect(names([])).toEqual(['named_path_gone']);
  expect(names(off)).toEqual([
    'named_path_gone',
    'documented_but_removed',
    'unset_environment_variable',
    'unread_environment_variable',
    'removed_option',
    'unread_setting',
  ]);
});

it('finds a required variable that the change no longer sets, unless something else mentions it', async () => {
  const before = {
    'app.py': 'import os\n\nq = os.environ["QUEUE_ADDRESS"]\n',
    '.env.example': 'A_B=1\nQUEUE_ADDRESS=x\n',
  };
  const find = (others: Record<string, string> = {}) =>
    findingsOf({ ...before, ...others }, { '.env.example': 'A_B=1\n' }, 'unset_environment_variable');
  expect(await find()).toEqual([
    'unset_environment_variable .env.example:2 QUEUE_ADDRESS is required but no longer set',
  ]);
  expect(await find({ 'README.md': 'Set QUEUE_ADDRESS.\n' })).toEqual([]);
  expect(await find({ 'app.py': 'import os\n\nq = os.environ.get("QUEUE_ADDRESS")\n' })).toEqual([]);
});

it('says in one line what a plan does not name, and finds only migrations, contracts and permissions', async () => {
  const after = {
    'src/cart.ts': 'export const cart = 1;\n',
    'src/other.ts': 'export const other = 1;\n',
    'src/other.test.ts': 'test();\n',
    'package-lock.json': '{}\n',
    'db/migrations/0002_items.sql': 'create table items (id int);\n',
    'api/shop.proto': 'syntax = "proto3";\n',
  };
  const review = async (...files: string[][]) =>
    reviewPlans(files.map((each) => ({ files: each, isApproved: true })));
  const reviewPlans = async (plans: LinkedPlan[]) => {
    const checks = [planConformance(plans)];
    const result = await reviewChange({ 'keep.txt': 'keep\n' }, after, { checks });
    return [result.checks[0]!.note, ...describeReview(result)];
  };
  expect(await review(['cart.ts', 'api/'], ['./src/other.ts'])).toEqual([
    '1 of 4 changed files are not mentioned in the linked plans: db/migrations/0002_items.sql. Amend the plan if that is intended.',
    'outside_plan db/migrations/0002_items.sql:1 The plan doesn’t mention this migration',
  ]);
  expect(await review(['src', 'db/migrations/*', 'api/shop.proto'])).toEqual([
    'Every changed file is mentioned in the linked plan.',
  ]);
  expect(await review([])).toEqual(["The linked plan can't be compared: no files are mentioned."]);

  const everything = ['src', 'db/migrations/*', 'api/shop.proto'];
  expect(await reviewPlans([{ files: everything, isApproved: false }])).toEqual([
    'Every changed file is mentioned in the linked plan. Nobody has approved the linked plan.',
  ]);
  // A plan that nobody approved adds nothing to what people approved.
  expect(
    await reviewPlans([
      { files: ['src', 'api/shop.proto'], isApproved: true },
      { files: everything, isApproved: false },
    ]),
  ).toEqual([
    '1 of 4 changed files are not mentioned in the linked plan: db/migrations/0002_items.sql. Amend the plan if that is intended.',
    'outside_plan db/migrations/0002_items.sql:1 The plan doesn’t mention this migration',
  ]);
});
