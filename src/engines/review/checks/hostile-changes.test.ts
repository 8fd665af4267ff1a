/** Changes that are made to keep a review busy: every check has to end soon, and none may fail. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeReview, reviewChange } from '../../../../test/helpers/git/review-change.ts';

/** CPU time: how long it takes depends on what else runs. */
const MAX_CPU_MS = 10_000;
const keys = (count: number, make: (number: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join('\n');
const packages = (count: number, prefix: string) =>
  JSON.stringify(
    { dependencies: Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, '1'])) },
    null,
    1,
  );
const message = (fields: string) => `message Order {\n${fields}\n}\n`;

const CASES: Record<string, { before?: Record<string, string>; after: Record<string, string | null> }> = {
  'titles of tests with nothing but spaces': {
    before: { 'a.test.ts': "it('a', () => {});\n", 'a.ts': 'export const a = 1;\n' },
    after: { 'a.test.ts': null, 'b.test.ts': keys(1500, () => `it${' '.repeat(4000)}`) },
  },
  'expressions that are never closed': {
    after: {
      '.github/workflows/a.yml': `on: push\njobs:\n  a:\n    steps:\n      - run: "${'${{'.repeat(30_000)}"\n      - run: "${'${{ github.head_ref '.repeat(1500)}"\n`,
    },
  },
  'exports that are never closed': {
    before: { 'a.test.ts': 'it();\n', 'a.ts': 'export function a() {}\n' },
    after: { 'a.ts': `${'export const {\n'.repeat(30_000)}${'a$'.repeat(250_000)}\n` },
  },
  'empty lines in data': {
    after: { 'a.json': `${'\n'.repeat(100_000)}{`, 'b.yml': `a: 1\n${'\n'.repeat(100_000)}` },
  },
  'maps with many keys': {
    after: { 'a.yml': keys(30_000, (at) => `k${at}: 1`), 'b.yml': `{${keys(6000, (at) => `k${at},`)}}` },
  },
  'maps with many keys in workflows and contracts': {
    before: { 'openapi.yaml': `openapi: 3.0.0\n${keys(4000, (at) => `k${at}: 1`)}` },
    after: {
      'openapi.yaml': `openapi: 3.0.0\n${keys(8000, (at) => `k${at}: 2`)}`,
      '.github/workflows/a.yml': keys(4000, (at) => `k${at}: 1`),
    },
  },
  'tables with distant names': {
    after: {
      'db/migrations/1_a.sql': `create table${' '.repeat(3900)}\n${keys(400, (at) => `drop table t${at}orders;\ncreate table${' '.repeat(2000)}`)}`,
    },
  },
  'many migrations': {
    after: Object.fromEntries(
      Array.from({ length: 1000 }, (_, at) => [`db/migrations/${at}_a.sql`, 'select 1;\n']),
    ),
  },
  'options, settings, names of routes and fields that are all removed': {
    before: {
      'go.mod': 'module shop\n\nrequire github.com/golang-migrate/migrate v4\n',
      'shop/run.py': keys(400, (at) => `parser.add_argument("--row-limit-${at}")  # ${'"'.repeat(300)}`),
      'shop/urls.py': `urlpatterns = [\n${keys(400, (at) => `    path("", v, name="item-list-${at}"),${' name ='.repeat(100)}`)}\n]\n`,
      'shop/a.go': `package shop\n\n${keys(400, (at) => `var a${at} = viper.Get("shop.row_limit_${at}")`)}\n`,
      'shop/order.go': `package shop\n\ntype Order struct {\n${keys(400, (at) => `\tA${at} int \`json:"total_cents_${at}"\``)}\n}\n`,
      'run.sh': keys(400, (at) => `shop run --row-limit-${at} x`),
      'shop.yaml': `shop:\n${keys(400, (at) => `  row_limit_${at}: 1`)}\n`,
      'a.html': keys(
        400,
        (at) => `{% url 'item-list-${at}' %} ${'.a'.repeat(300)} {{ order.total_cents_${at} }}`,
      ),
    },
    after: {
      ...{ 'shop/run.py': 'x = 1\n', 'shop/urls.py': 'urlpatterns = []\n' },
      ...{ 'shop/a.go': 'package shop\n', 'shop/order.go': 'package shop\n' },
      'db/migrations/7_a.up.sql': 'select 1;\n',
    },
  },
  'comments and braces in protobuf': {
    before: {
      'a.proto': message(keys(10_000, (at) => `  string f${at} = ${at};`)),
      'b.proto': 'message A {\n string a = 1;\n}\n',
      'c.proto': 'message A {\n string a = 1;\n}\n',
    },
    after: {
      'a.proto': message(keys(10_000, (at) => `  string g${at} = ${at + 30_000};`)),
      'b.proto': `message A {\n}\n${'/*'.repeat(500_000)}`,
      'c.proto': `message A {\n  reserved${' '.repeat(200_000)}\n  reserved ${keys(5000, (at) => `${at * 2000} to max,`).replaceAll('\n', ' ')} 1;\n}\n${keys(15_000, (at) => `message M${at} {`)}`,
    },
  },
  'many dependencies': {
    before: { 'package.json': packages(10_000, 'package-a'), 'package-lock.json': '{}' },
    after: { 'package.json': packages(20_000, 'package-b') },
  },
  'nothing but tokens': {
    after: {
      'a.txt': keys(12_000, (at) => `ghp_${createHash('sha256').update(`${at}`).digest('hex').slice(0, 36)}`),
    },
  },
  'lines that are skipped': {
    before: { 'a.test.ts': keys(10_000, (at) => `it('old ${at}', run);`) },
    after: { 'a.test.ts': keys(10_000, (at) => `it.skip('new ${at}', run);`) },
  },
};

it.each(Object.entries(CASES))(
  '%s',
  async (_, { after, before = { 'README.md': 'a\n' } }) => {
    const start = process.cpuUsage();
    const result = await reviewChange(before, after);
    const { system, user } = process.cpuUsage(start);
    expect((system + user) / 1000).toBeLessThan(MAX_CPU_MS);
    expect(describeReview(result).filter((line) => / failed: (?!Only the first)/.test(line))).toEqual([]);
  },
  60_000,
);

it('quotes paths in commands, and masks lines of private keys and what PostgreSQL cannot hold', async () => {
  const path = "docs/a'; touch b; '.md";
  const body = 'MIIEpAIBAAKCAQEAx3kq9vT0bJ7wqk2yRz4cU5hX6aVbGnPq8sLdEfOiWmYtZ1uC';
  const key = `-----BEGIN RSA ${'PRIVATE'} KEY-----`;
  const { candidates } = await reviewChange(
    { [path]: 'text\n', 'README.md': `See \`${path}\`.\n` },
    {
      [path]: null,
      'a.yml': `key: "${key}\n${body}\n\tx: [\n`,
      'a.test.ts': `${'// long\n'.repeat(2000)}it.only('a\0', run);\n`,
    },
  );
  const named = candidates.find(({ check }) => check === 'named_path_gone')!;
  expect(named.command).toContain("-e 'docs/a'\\''; touch b; '\\''.md' ");
  expect(candidates.map(({ check }) => check)).toContain('unparseable_file');
  expect(candidates.map(({ check }) => check)).toContain('focused_test');
  expect(JSON.stringify(candidates)).not.toContain(body.slice(0, 20));
  expect(JSON.stringify(candidates)).not.toContain('\\u0000');
});

it('reads a document with a word of a million characters in no time, and believes scripts that name other files', async () => {
  const { candidates } = await reviewChange(
    {
      'docs/old.ts': 'export const a = 1;\n',
      'README.md': `See docs/old.ts.\n${'a'.repeat(1_000_000)}\n${'a/'.repeat(500_000)}\n`,
      'scripts/new.ts': 'export const b = 1;\n',
      'build.sh': 'node scripts/new.ts\nnode scripts/made/by/this/build.ts\n',
    },
    { 'docs/old.ts': null, 'scripts/new.ts': null },
    { only: 'named_path_gone' },
  );
  expect(candidates.map(({ subject }) => subject).sort()).toEqual(['docs/old.ts', 'scripts/new.ts']);
});
