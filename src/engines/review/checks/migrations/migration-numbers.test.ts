/** Numbers of migrations that are taken or come too late, by tool, and a schema of Rails that was not renewed. */
import { expect, it } from 'vitest';
import { findingsOf } from '../../../../../test/helpers/git/review-change.ts';

const GOOSE = '-- +goose Up\nSELECT 1;\n';
const RAILS = 'class AddItems < ActiveRecord::Migration[7.1]\nend\n';
const GO_MOD = { 'go.mod': 'module shop\n\nrequire github.com/golang-migrate/migrate/v4 v4.17.0\n' };
const FLYWAY = { 'build.gradle': "plugins { id 'org.flywaydb.flyway' }\n" };
const schema = (version: string) =>
  `ActiveRecord::Schema[7.1].define(version: ${version}) do\n  create_table "a"\nend\n`;
const numbered = async (
  before: Record<string, string>,
  after: Record<string, string | null>,
  check: string,
) =>
  (await findingsOf(before, after as Record<string, string>, check)).map((each) =>
    each.split(' ').slice(1).join(' '),
  );

it.each<[string, Record<string, string>, string, string]>([
  ['goose', { 'db/migrations/0002_orders.sql': GOOSE }, 'db/migrations/00002_items.sql', GOOSE],
  ['dbmate', { 'db/migrations/0002_orders.sql': 'x' }, 'db/migrations/0002_items.sql', '-- migrate:up\n'],
  ['Rails', { 'db/migrate/2_orders.rb': RAILS }, 'db/migrate/2_items.rb', RAILS],
  ['golang-migrate', { 'migrations/2_orders.up.sql': 'x', ...GO_MOD }, 'migrations/02_items.up.sql', 'x\n'],
  ['Flyway', { 'db/migration/V2.0__orders.sql': 'x', ...FLYWAY }, 'db/migration/V2__items.sql', 'x\n'],
  [
    'own tools',
    { 'migrations/1_a.sql': 'x', 'migrations/2_b.sql': 'x', 'migrations/3_c.sql': 'x' },
    'migrations/2_items.sql',
    'x\n',
  ],
])('finds a number that another migration of %s has', async (_, before, path, text) => {
  expect(await numbered(before, { [path]: text }, 'same_number_migration')).toEqual([
    `${path}:1 Two migrations have the number ${/0*2/.exec(path.slice(path.lastIndexOf('/')))![0]}`,
  ]);
  expect(await numbered(before, { [path.replace(/0*2/, '4')]: text }, 'same_number_migration')).toEqual([]);
});

it('finds a number that a renamed migration got, and leaves names that decide, parts and other folders alone', async () => {
  const before = { 'migrations/2_orders.up.sql': 'x\n', 'migrations/3_items.up.sql': 'y\n', ...GO_MOD };
  expect(
    await numbered(
      before,
      { 'migrations/3_items.up.sql': null, 'migrations/2_items.up.sql': 'y\n' },
      'same_number_migration',
    ),
  ).toEqual(['migrations/3_items.up.sql:1 Two migrations have the number 2']);
  const others = {
    'migrations/2_orders.down.sql': 'x\n',
    'other/migrations/2_orders.up.sql': 'x\n',
    'database/migrations/2_orders.php': '<?php\n',
    'shop/migrations/2_orders.py': 'x = 1\n',
    'notes/2_items.up.sql': 'x\n',
  };
  expect(await numbered(before, others, 'same_number_migration')).toEqual([]);
  // Nothing says which tool it is, and numbers were shared before.
  const shared = {
    'migrations/1_a.sql': 'x',
    'migrations/2_b.sql': 'x',
    'migrations/2_c.sql': 'x',
    'migrations/3_d.sql': 'x',
  };
  expect(await numbered(shared, { 'migrations/3_e.sql': 'x\n' }, 'same_number_migration')).toEqual([]);
});

it.each<[string, Record<string, string>, string, string, Record<string, string>]>([
  [
    'golang-migrate',
    { 'migrations/5_orders.up.sql': 'x', ...GO_MOD },
    'migrations/4_items.up.sql',
    'x\n',
    { 'go.mod': 'module shop\n' },
  ],
  [
    'goose',
    { 'db/migrations/5_orders.sql': GOOSE },
    'db/migrations/4_items.sql',
    GOOSE,
    { 'run.sh': 'goose --allow-missing up\n' },
  ],
  [
    'Flyway',
    { 'db/migration/V5__orders.sql': 'x', ...FLYWAY },
    'db/migration/V4_9__items.sql',
    'x\n',
    { 'flyway.toml': 'outOfOrder = true\n' },
  ],
])('finds a new migration of %s below the newest one', async (_, before, path, text, allowed) => {
  const late = await numbered(before, { [path]: text }, 'late_migration');
  expect(late).toHaveLength(1);
  expect(late[0]).toMatch(new RegExp(`^${RegExp.escape(path)}:1 Migration 4([._]9)? is added below 5$`));
  expect(await numbered({ ...before, ...allowed }, { [path]: text }, 'late_migration')).toEqual([]);
  // The newest one is renumbered or squashed with it.
  const [newest] = Object.keys(before);
  expect(await numbered(before, { [path]: text, [newest!]: null }, 'late_migration')).toEqual([]);
});

it('says nothing about late migrations where every one that did not run yet is run', async () => {
  expect(
    await numbered({ 'db/migrate/5_orders.rb': RAILS }, { 'db/migrate/4_items.rb': RAILS }, 'late_migration'),
  ).toEqual([]);
});

it('finds a schema of Rails without the new migration', async () => {
  const before = {
    'db/migrate/20240101000000_orders.rb': RAILS,
    'db/schema.rb': schema('2024_01_01_000000'),
  };
  const after = { 'db/migrate/20240202000000_items.rb': RAILS };
  const found = (own: Record<string, string>, is = before) => numbered(is, own, 'schema_behind_migration');
  expect(await found(after)).toEqual([
    'db/migrate/20240202000000_items.rb:1 db/schema.rb does not have migration 20240202000000',
  ]);
  expect(await found({ ...after, 'db/schema.rb': schema('2024_02_02_000000') })).toEqual([]);
  expect(await found(after, { ...before, 'db/schema.rb': schema('2023_01_01_000000') })).toEqual([]);
  expect(await found({ 'db/other/20240202000000_items.rb': RAILS })).toEqual([]);
});
