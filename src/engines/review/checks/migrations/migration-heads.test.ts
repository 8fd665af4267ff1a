/** Two last migrations of Django and Alembic: in one change, with the target branch, and what is fine. */
import { expect, it } from 'vitest';
import { makeRepository } from '../../../../../test/helpers/git/git-fixtures.ts';
import { describeReview, findingsOf } from '../../../../../test/helpers/git/review-change.ts';
import { openRepository } from '../../../search/index.ts';
import { openGitReviewCode } from '../../code/git-review-code.ts';
import { runReview } from '../../run-review.ts';
import { mergeSkew } from '../merge-skew.ts';

const django = (...parents: string[]) =>
  `from django.db import migrations\n\n\nclass Migration(migrations.Migration):\n    dependencies = [\n        migrations.swappable_dependency("auth.User"),\n${parents.map((name) => `        ("shop", "${name}"),\n`).join('')}    ]\n    operations = []\n`;
const alembic = (revision: string, down: string) =>
  `"""Change."""\nrevision: str = '${revision}'\ndown_revision: Union[str, None] = ${down}\nbranch_labels = None\ndepends_on = None\n`;
const BEFORE = {
  'shop/migrations/__init__.py': '',
  'shop/migrations/0001_initial.py': django(),
  'shop/migrations/0002_items.py': django('0001_initial'),
  'alembic/versions/aa_first.py': alembic('aa', 'None'),
  'alembic/versions/bb_second.py': alembic('bb', "'aa'"),
};
const heads = (after: Record<string, string>, before: Record<string, string> = {}) =>
  findingsOf({ ...BEFORE, ...before }, after, 'two_migration_heads');

it('finds a second migration after the same one, and not one after the last or one that joins both', async () => {
  expect(await heads({ 'shop/migrations/0002_orders.py': django('0001_initial') })).toEqual([
    'two_migration_heads shop/migrations/0002_orders.py:7 0002_orders and 0002_items are both the last migration',
  ]);
  expect(await heads({ 'alembic/versions/cc_third.py': alembic('cc', "'aa'") })).toEqual([
    'two_migration_heads alembic/versions/cc_third.py:3 cc and bb are both the last migration',
  ]);
  expect(
    await heads({
      'shop/migrations/0003_orders.py': django('0002_items'),
      'alembic/versions/cc_third.py': alembic('cc', "'bb'"),
    }),
  ).toEqual([]);
  expect(
    await heads({
      'shop/migrations/0002_orders.py': django('0001_initial'),
      'shop/migrations/0003_merge.py': django('0002_items', '0002_orders'),
      'alembic/versions/cc_third.py': alembic('cc', "'aa'"),
      'alembic/versions/dd_merge.py': alembic('dd', "('bb', 'cc')"),
    }),
  ).toEqual([]);
});

const squashes = (text: string, ...names: string[]) =>
  text.replace(
    '    operations',
    `    replaces = [${names.map((name) => `("shop", "${name}")`).join(', ')}]\n    operations`,
  );

it('says nothing where there were two before, where labels order them, and about other files', async () => {
  const orders = { 'shop/migrations/0002_orders.py': django('0001_initial') };
  expect(await heads({ 'shop/migrations/0002_more.py': django('0001_initial') }, orders)).toEqual([]);
  const labelled = alembic('cc', "'aa'").replace('branch_labels = None', "branch_labels = ('billing',)");
  expect(await heads({ 'alembic/versions/cc_third.py': labelled })).toEqual([]);
  expect(
    await heads({ 'api/versions/v2.py': 'revision = 2\n', 'shop/migrations/helpers.py': 'x = 1\n' }),
  ).toEqual([]);
});

it('puts a squashed migration of Django in the place of those that it replaces', async () => {
  const squashed = squashes(django(), '0001_initial', '0002_items');
  const path = 'shop/migrations/0001_squashed_0002_items.py';
  // Neither squashing nor a migration after it or after the replaced one makes a second head.
  expect(await heads({ [path]: squashed })).toEqual([]);
  for (const parent of ['0001_squashed_0002_items', '0002_items'])
    expect(await heads({ 'shop/migrations/0003_orders.py': django(parent) }, { [path]: squashed })).toEqual(
      [],
    );
  const again = squashes(django(), '0001_squashed_0002_items', '0003_orders');
  const orders = { [path]: squashed, 'shop/migrations/0003_orders.py': django('0002_items') };
  expect(await heads({ 'shop/migrations/0001_again.py': again }, orders)).toEqual([]);
  expect(
    await heads(
      { 'shop/migrations/0004_prices.py': django('0003_orders') },
      { ...orders, 'shop/migrations/0001_again.py': again },
    ),
  ).toEqual([]);
  expect(
    await heads({ 'shop/migrations/0003_prices.py': django('0001_squashed_0002_items') }, orders),
  ).toEqual([
    'two_migration_heads shop/migrations/0003_prices.py:7 0003_prices and 0003_orders are both the last migration',
  ]);
});

it('says nothing where the order of Django is computed, given by the earlier one, or that of several apps', async () => {
  const orders = django('0001_initial');
  const find = (text: string, before = {}) => heads({ 'shop/migrations/0002_orders.py': text }, before);
  expect(await find(orders)).toHaveLength(1);
  expect(await find(orders.replace('    ]\n', '    ] + others()\n'))).toEqual([]);
  expect(await find(orders.replace('("shop", "0001_initial")', '("shop", FIRST)'))).toEqual([]);
  expect(
    await find(orders.replace('    operations', '    run_before = [("shop", "0002_items")]\n    operations')),
  ).toEqual([]);
  const ofOthers = squashes(django(), '0001_initial').replace(
    '[("shop"',
    '[("blog", "0001_initial"), ("shop"',
  );
  expect(await find(orders, { 'shop/migrations/0001_both.py': ofOthers })).toEqual([]);
  expect(await find(orders.replace('("shop", "0001_initial")', '(APP, "0002_items")'))).toEqual([]);
});

it('finds one that the target branch added since the change began', async () => {
  const repository = await makeRepository();
  const signal = AbortSignal.timeout(60_000);
  const reader = openRepository(repository.folder, null);
  try {
    const base = await repository.commit(BEFORE);
    const target = await repository.commit({ 'shop/migrations/0003_prices.py': django('0002_items') });
    const from = { branch: 'work', from: base };
    const head = await repository.commit({ 'shop/migrations/0003_orders.py': django('0002_items') }, from);
    const code = openGitReviewCode({ gitDir: repository.folder, signal, base, head });
    const checks = [mergeSkew({ reader, signal, target })];
    const result = await runReview(code, { checks, isExcluded: () => false, maxFindings: 100 });
    code.close();
    expect(describeReview(result)).toEqual([
      'merge_skew shop/migrations/0003_orders.py:7 0003_orders and 0003_prices are both the last migration on the target branch',
    ]);
  } finally {
    reader.close();
    await repository.remove();
  }
});
