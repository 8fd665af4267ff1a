/** Uses in other repositories: on real git, with facts as their descriptions have them, and by who may see what. */

import { expect, it } from 'vitest';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { NO_MODELS } from '../../../../test/helpers/servers/model-server.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import { NodeState } from '../../../platform/core/work/node-state.ts';
import { describeRepository } from '../../architecture/describe/describe-repository.ts';
import { runPullRequestReview } from './run-pull-request-review.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, clock, db, mirrors } = service;
const log = createLog({ level: 'silent', terminal: false, destination: { write: () => undefined } });
const services = {
  state: new NodeState(undefined),
  ...NO_MODELS,
  db,
  code: mirrors.code,
  log,
  announce: () => undefined,
  now: () => clock.now(),
};
/** Put together, so that scanners of this repository leave it alone. */
const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6'}`;

const MONEY = {
  'package.json': '{ "name": "@acme/money", "main": "src/index.ts" }\n',
  'src/index.ts': "export * from './format.ts';\n",
  'src/format.ts':
    'export function formatMoney(n: number) {\n  return String(n);\n}\nexport function roundMoney(n: number) {\n  return n;\n}\n',
  'src/server.ts':
    "import express from 'express';\nconst app = express();\napp.get('/rates/:currency', () => 1);\napp.get('/rates/:currency/history', () => 1);\n",
  'src/format.test.ts': "it('formats', () => {});\n",
};
const CHANGED = {
  'src/format.ts': `export const key = '${TOKEN}';\nexport function roundMoney(n: number) {\n  return n;\n}\n`,
  'src/server.ts':
    "import express from 'express';\nconst app = express();\napp.get('/rates/:currency/history', () => 1);\n",
  'src/format.test.ts': "it.only('formats', () => {});\n",
};
const SHOP = {
  'package.json': '{ "name": "shop", "dependencies": { "@acme/money": "1.0.0" } }\n',
  'src/cart.ts':
    "import { formatMoney, roundMoney } from '@acme/money';\n\nexport const total = () => formatMoney(roundMoney(1));\n",
  'src/rates.ts': `export const rates = (currency: string) => fetch(\`/rates/\${currency}\`);\n`,
};

async function add(files: Record<string, string>) {
  const repository = await addRepository(service, files);
  await describeRepository(services, repository.id, AbortSignal.timeout(60_000));
  return repository;
}

async function restrict(id: string, members: { userId: string }[]) {
  await db.updateTable('repositories').set({ visibility: 'members' }).where('id', '=', id).execute();
  await db.deleteFrom('repository_members').where('repository_id', '=', id).execute();
  for (const person of members) {
    const row = { repository_id: id, user_id: person.userId, organization_id: acme.id };
    await db.insertInto('repository_members').values(row).execute();
  }
}

async function review(repository: Awaited<ReturnType<typeof add>>, branch: string, files = CHANGED) {
  await repository.commit(files, { branch, from: await repository.git('rev-parse', 'main') });
  await repository.refresh();
  const opened = await service.request('POST', '/api/v2/pull-requests', {
    as: withSession(acme.admin),
    body: { repository: repository.fullName, head: branch, title: 'Change' },
  });
  expect(opened.status, JSON.stringify(opened.body)).toBe(201);
  const { id } = opened.body;
  await runPullRequestReview(
    services,
    { organizationId: acme.id, pullRequestId: id },
    AbortSignal.timeout(60_000),
  );
  const get = async (path: string, as = acme.admin) =>
    (await service.request('GET', path, { as: withSession(as) })).body;
  const { runs } = await get(`/api/v2/pull-requests/${id}/review-runs`);
  const run = (as = acme.admin) => get(`/api/v2/review-runs/${runs[0].id}`, as);
  return {
    run,
    discussions: (await get(`/api/v2/pull-requests/${id}/discussions`)).discussions,
    found: (await run()).candidates.map(({ check, title }: { check: string; title: string }) => [
      check,
      title,
    ]),
  };
}

async function switchOn(checks: string[]) {
  const as = withSession(acme.admin);
  const { body } = await service.request('GET', '/api/v2/reviewer/reviewers', { as });
  const { id } = body.reviewers.find(({ title }: { title: string }) => title === 'Breaking Changes');
  const switched = { as, body: { switchedOn: checks } };
  expect((await service.request('PATCH', `/api/v2/reviewers/${id}`, switched)).status).toBe(200);
}

const money = await add(MONEY);
const shop = await add(SHOP);
// Routes are looked for only where that check is switched on.
await switchOn(['removed_route']);

it('proves a leaked key, a focused test, and a function and a route that another repository still uses', async () => {
  const { discussions, found, run } = await review(money, 'one');
  expect(found.sort()).toEqual([
    ['focused_test', 'Focused test: the other tests don’t run'],
    ['leaked_secret', 'GitHub token in the code'],
    ['removed_but_used', 'formatMoney was removed but is still used in another repository'],
    ['removed_route', 'GET /rates/{} was removed but is still used in another repository'],
  ]);
  const head = await shop.git('rev-parse', 'main');
  const { candidates } = await run();
  const removed = candidates.find(({ check }: { check: string }) => check === 'removed_but_used');
  const repository = { id: shop.id, name: shop.fullName, commit: head };
  expect(removed).toMatchObject({
    ...{ file: 'src/format.ts', side: 'base', line: 1, fate: 'finding' },
    evidence: [
      { path: 'src/cart.ts', line: 1, repository },
      { path: 'src/cart.ts', line: 3, repository },
    ],
  });
  // The command shows the same in a clone of that repository.
  const pattern = /^git grep -nF -e '(\w+)' (\w+) # in /.exec(removed.command)!;
  expect(removed.command).toContain(`# in ${shop.fullName}`);
  expect(await shop.git('grep', '-nF', '-e', pattern[1]!, pattern[2]!)).toContain('src/cart.ts:3:');
  expect(discussions).toHaveLength(4);
  expect(JSON.stringify(discussions)).toContain(`${shop.fullName} src/cart.ts:3@${head.slice(0, 12)}`);
});

it('finds uses in repositories that are not described yet, but not in copies of the package', async () => {
  await restrict(shop.id, []);
  const added = await addRepository(service, {
    'package.json': '{ "name": "kiosk", "dependencies": { "@acme/money": "1.0.0" } }\n',
    'src/till.ts': "import { formatMoney } from '@acme/money';\nformatMoney(1);\n",
    'src/rates.ts': SHOP['src/rates.ts'],
  });
  const copy = await addRepository(service, {
    ...MONEY,
    'app/use.ts': "import { formatMoney } from '@acme/money';\nformatMoney(1);\n",
  });
  const hidden = await addRepository(service, SHOP);
  await restrict(hidden.id, []);
  const { run } = await review(money, 'newcomer');
  const { candidates, checks } = await run();
  const placesOf = (name: string) =>
    candidates
      .find(({ check }: { check: string }) => check === name)
      .evidence.map((each: { path: string; line: number; repository: { id: string } }) => [
        each.repository.id,
        each.path,
        each.line,
      ]);
  expect(placesOf('removed_but_used')).toEqual([
    [added.id, 'src/till.ts', 1],
    [added.id, 'src/till.ts', 2],
  ]);
  expect(placesOf('removed_route')).toEqual([[added.id, 'src/rates.ts', 1]]);
  expect(checks.filter(({ failure }: { failure: string | null }) => failure !== null)).toEqual([]);
  for (const each of [added, copy, hidden])
    await db.updateTable('repositories').set({ visibility: 'members' }).where('id', '=', each.id).execute();
  await db
    .updateTable('repositories')
    .set({ visibility: 'organization' })
    .where('id', '=', shop.id)
    .execute();
});

it('finds nothing once the other repository stopped using it, before it is described again', async () => {
  const user = await add({
    ...SHOP,
    'src/cart.ts': "import { roundMoney } from '@acme/money';\nroundMoney(1);\n",
  });
  await user.commit({ 'src/cart.ts': 'export const total = 1;\n' });
  await user.refresh();
  await restrict(shop.id, []);
  const { found } = await review(money, 'two', {
    ...CHANGED,
    'src/format.ts': 'export function formatMoney() {\n  return 1;\n}\n',
  });
  expect(found).not.toContainEqual([
    'removed_but_used',
    expect.stringContaining('roundMoney was removed but is still used'),
  ]);
  await db
    .updateTable('repositories')
    .set({ visibility: 'organization' })
    .where('id', '=', shop.id)
    .execute();
});

it('names only repositories that all readers can see', async () => {
  await restrict(shop.id, [acme.viewer]);
  const names = async (branch: string) =>
    (await review(money, branch)).found.filter(([check]: string[]) => check === 'removed_but_used').length;
  expect(await names('three')).toBe(0);
  // The readers of this one are members of the other.
  await restrict(money.id, [acme.viewer]);
  expect(await names('four')).toBe(1);
  await restrict(money.id, [acme.viewer, acme.member]);
  expect(await names('five')).toBe(0);
  await restrict(shop.id, [acme.viewer, acme.member]);
  const { run } = await review(money, 'six');
  // Someone who has lost access since then doesn't see it anymore.
  await restrict(shop.id, [acme.viewer]);
  const evidenceFor = async (as: typeof acme.member) =>
    (await run(as)).candidates.find(({ check }: { check: string }) => check === 'removed_but_used');
  expect((await evidenceFor(acme.viewer)).evidence).toHaveLength(2);
  expect(await evidenceFor(acme.member)).toMatchObject({ evidence: [], command: null });
});

it('finds where the types of another repository say that it uses a method that a class of Java lost', async () => {
  const cart = (methods: string) => `package com.acme;\n\npublic class Cart {\n${methods}}\n`;
  const kept = '  public static Cart open() { return new Cart(); }\n';
  const api = await add({
    'src/main/java/com/acme/Cart.java': cart(`${kept}  public int total() { return 1; }\n`),
  });
  const inShop = (body: string) => `package shop;\n\nimport com.acme.Cart;\n\nclass Till {\n${body}}\n`;
  const user = await add({
    // The first of many files that use the class does not use the method.
    ...Object.fromEntries(
      [1, 2, 3, 4].map((n) => [
        `A${n}.java`,
        inShop('  Cart cart = Cart.open();\n  int sum(Sum sum) { return sum.total(); }\n'),
      ]),
    ),
    'Till.java': inShop('  Cart cart;\n  int sum() { return cart.total(); }\n'),
    'Own.java': inShop(
      '  static class Cart { int total() { return 1; } }\n  int sum(Cart own) { return own.total(); }\n',
    ),
  });
  const change = { 'src/main/java/com/acme/Cart.java': cart(kept) } as unknown as typeof CHANGED;
  expect((await review(api, 'off', change)).found).toEqual([]);
  await switchOn(['removed_route', 'removed_method_used']);
  const { found, run } = await review(api, 'on', change);
  expect(found).toEqual([
    ['removed_method_used', 'Cart.total was removed but is still used in another repository'],
  ]);
  const { candidates } = await run();
  expect(candidates[0].evidence).toMatchObject([{ path: 'Till.java', line: 7, repository: { id: user.id } }]);
});
