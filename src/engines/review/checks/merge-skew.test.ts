/** Breaks that appear only together with the target branch or with other pull requests, in a real repository. */
import { expect, it } from 'vitest';
import { makeRepository } from '../../../../test/helpers/git/git-fixtures.ts';
import { describeReview } from '../../../../test/helpers/git/review-change.ts';
import { openRepository } from '../../search/index.ts';
import { openGitReviewCode } from '../code/git-review-code.ts';
import { runReview } from '../run-review.ts';
import { mergeSkew, sharedMigrationNumbers } from './merge-skew.ts';

it('finds what each side broke for the other, and nothing that one side has alone', async () => {
  const repository = await makeRepository();
  const signal = AbortSignal.timeout(60_000);
  const reader = openRepository(repository.folder, null);
  try {
    const base = await repository.commit({
      'src/money.ts': 'export function format() {}\nexport function round() {}\nexport function gone() {}\n',
      'src/broken.ts': 'export const rate = 1;\n',
      'db/migrations/0000_shops.sql': 'create table shops (id int);\n',
      'db/migrations/0001_users.sql': 'create table users (id int);\n',
      'db/migrations/0003_names.sql': 'create table names (id int);\n',
    });
    const target = await repository.commit({
      'src/money.ts': 'export function round() {}\n',
      'src/report.ts': "import { rate } from './broken.ts';\nuse(rate);\n",
      'src/already.ts': "import { gone } from './money.ts';\ngone();\n",
      'db/migrations/0002_orders.sql': 'create table orders (id int);\n',
    });
    const head = await repository.commit(
      {
        'src/cart.ts': "import { format, round } from './money.ts';\nformat(round());\n",
        'src/broken.ts': 'export const y = 1;\n',
        'db/migrations/0002_items.sql': 'create table items (id int);\n',
      },
      { branch: 'work', from: base },
    );
    const place = { gitDir: repository.folder, signal };
    const run = async (target: string) => {
      const code = openGitReviewCode({ ...place, base, head });
      const others = [{ number: 7, from: base, to: target }];
      const checks = [mergeSkew({ reader, signal, target }), sharedMigrationNumbers(others, place)];
      try {
        return describeReview(await runReview(code, { checks, isExcluded: () => false, maxFindings: 100 }));
      } finally {
        code.close();
      }
    };
    expect(await run(target)).toEqual([
      'merge_skew src/broken.ts:1 rate was removed but is still used on the target branch',
      'merge_skew src/cart.ts:1 The target branch changed or removed format, which this change uses',
      'merge_skew db/migrations/0002_items.sql:1 Two migrations have the number 0002 on the target branch',
      'shared_migration_number db/migrations/0002_items.sql:1 #7 also adds a migration with the number 0002',
    ]);
    // Nothing new on the target, and another pull request whose commits are not here.
    expect(await run(base)).toEqual([]);
    const conflicting = await repository.commit(
      { 'src/broken.ts': 'export const z = 1;\n' },
      { branch: 'other', from: base },
    );
    expect(await run(conflicting)).toEqual([]);
  } finally {
    reader.close();
    await repository.remove();
  }
});

it('reviews changes whose paths are longer together than arguments can be', async () => {
  const repository = await makeRepository();
  const signal = AbortSignal.timeout(60_000);
  const reader = openRepository(repository.folder, null);
  try {
    const base = await repository.commit({ 'src/money.ts': 'export function format() {}\n' });
    const target = await repository.commit({ 'src/money.ts': 'export function round() {}\n' });
    const folder = Array.from({ length: 10 }, () => 'f'.repeat(200)).join('/');
    const many = Array.from({ length: 1200 }, (_, index) => [`${folder}/${index}.ts`, 'export {};\n']);
    const head = await repository.commit(
      {
        ...Object.fromEntries(many),
        'src/cart.ts': "import { format } from './money.ts';\nformat();\n",
      },
      { branch: 'work', from: base },
    );
    const code = openGitReviewCode({ gitDir: repository.folder, signal, base, head });
    const checks = [mergeSkew({ reader, signal, target })];
    const review = await runReview(code, { checks, isExcluded: () => false, maxFindings: 100 });
    code.close();
    expect(review.checks.map(({ failure }) => failure)).toEqual([null]);
    expect(describeReview(review)).toEqual([
      'merge_skew src/cart.ts:1 The target branch changed or removed format, which this change uses',
    ]);
  } finally {
    reader.close();
    await repository.remove();
  }
});

it('finds what only both sides together take away in a Go package', async () => {
  const repository = await makeRepository();
  const signal = AbortSignal.timeout(60_000);
  const reader = openRepository(repository.folder, null);
  try {
    const base = await repository.commit({
      'go.mod': 'module example.com/shop\n',
      'money/a.go': 'package money\n\nfunc Format() {}\n',
      'money/b.go': 'package money\n\nfunc Format() {}\n',
      'money/cut.go': 'package money\n\nfunc Cut(value int) {}\n',
      'money/round.go': 'package money\n\nfunc Round(\n\tvalue int,\n) int {\n\treturn value\n}\n',
      'cmd/print.go':
        'package main\n\nimport "example.com/shop/money"\n\nfunc show() {\n\tmoney.Format()\n}\n',
    });
    const target = await repository.commit({
      'money/a.go': 'package money\n',
      'cmd/cut.go': 'package main\n\nimport "example.com/shop/money"\n\nfunc cut() {\n\tmoney.Cut(1)\n}\n',
      'money/round.go':
        'package money\n\nfunc Round(\n\tvalue int,\n\tplaces int,\n) int {\n\treturn value\n}\n',
    });
    const head = await repository.commit(
      {
        'money/b.go': 'package money\n',
        'money/cut.go': 'package money\n\nfunc Cut(value int, places int) {}\n',
        'cmd/main.go':
          'package main\n\nimport "example.com/shop/money"\n\nfunc main() {\n\tmoney.Round(1)\n}\n',
      },
      { branch: 'work', from: base },
    );
    const code = openGitReviewCode({ gitDir: repository.folder, signal, base, head });
    const checks = [mergeSkew({ reader, signal, target })];
    const review = await runReview(code, { checks, isExcluded: () => false, maxFindings: 100 });
    code.close();
    expect(describeReview(review)).toEqual([
      'merge_skew money/b.go:3 Format was removed but is still used on the target branch',
      'merge_skew money/cut.go:3 Cut is still called with its old parameters on the target branch',
      'merge_skew cmd/main.go:6 The target branch changed or removed Round, which this change uses',
    ]);
  } finally {
    reader.close();
    await repository.remove();
  }
});
