/**
 * Every query of settings and reviewers, explained on 1,000 organizations, of which one has 10,000 repositories: each is
 * served by an index and reads few rows.
 */
import { describe, expect, it } from 'vitest';
import * as excludedPaths from '../src/features/switches/excluded-path-store.ts';
import * as settingChanges from '../src/features/switches/setting-change-store.ts';
import * as switches from '../src/features/switches/switch-store.ts';
import { uuidv7 } from '../src/platform/core/uuid.ts';
import { type Db, withConnection } from '../src/platform/db/index.ts';
import { createTestDatabase } from './database.ts';
import { explainEach, rowsRead, tablesScanned } from './explain-queries.ts';

const ROWS = 20_000;
const ORGANIZATIONS = 1000;
const MAX_ROWS_READ = 1500;
const NOW = new Date('2026-11-15T12:00:00.000Z');
const id = uuidv7();

const connection = await createTestDatabase();
const some = await withConnection(connection, async (client) => {
  const fill = (text: string) => client.query(text.replaceAll('NOW', `timestamptz '${NOW.toISOString()}'`));
  await fill('SET session_replication_role = replica'); // Skips foreign key checks.
  await fill(
    `CREATE TEMP TABLE numbered AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, ${ROWS}) n`,
  );
  await fill('CREATE INDEX ON numbered (n)');
  await fill(
    `INSERT INTO organizations SELECT id, 'Organization ' || n, NOW FROM numbered WHERE n <= ${ORGANIZATIONS}`,
  );
  await fill(
    `INSERT INTO users SELECT id, 'user' || n || '@example.com', 'User ' || n, 'x', NOW, NOW FROM numbered WHERE n <= ${ORGANIZATIONS}`,
  );
  await fill(`INSERT INTO repositories (id, organization_id, name, visibility, created_at)
    SELECT r.id, o.id, 'owner/r' || r.n, CASE WHEN r.n % 3 = 0 THEN 'members' ELSE 'organization' END, NOW
    FROM numbered r JOIN numbered o ON o.n = CASE WHEN r.n <= ${ROWS / 2} THEN 1 ELSE r.n % ${ORGANIZATIONS} + 1 END`);
  await fill(
    `INSERT INTO repository_members SELECT r.id, n.id, r.organization_id FROM repositories r JOIN numbered n ON n.n <= 2`,
  );
  await fill(`INSERT INTO organization_switches SELECT gen_random_uuid(), o.id, k.key, true, NULL, NULL, '{}' FROM organizations o JOIN numbered n ON n.id = o.id AND n.n < ${ORGANIZATIONS},
    unnest(ARRAY['planner', 'self_approval', 'review_on_every_push']) AS k (key)`);
  await fill(`INSERT INTO excluded_paths SELECT r.id, r.organization_id, '{vendor/}', o.id, NOW
    FROM repositories r JOIN numbered n USING (id) JOIN numbered o ON o.n = 1 WHERE n.n % 500 = 0 OR n.n > ${ROWS / 2}`);
  await fill(`INSERT INTO setting_changes SELECT n.id, o.id, CASE WHEN n.n % 10 = 0 THEN o.id ELSE n.id END, o.id, '{}', '{}', NOW - n.n * interval '1 second'
    FROM numbered n JOIN numbered o ON o.n = 1`);
  await client.query('VACUUM ANALYZE');
  const one = async (n: number) =>
    (await client.query<{ id: string }>(`SELECT id FROM numbered WHERE n = ${n}`)).rows[0]!.id;
  return {
    organizationId: await one(1),
    user: await one(1),
    repositoryId: await one(1000),
    bare: await one(ORGANIZATIONS),
  };
});

const { bare, organizationId, repositoryId, user } = some;
const viewer = { organizationId, userId: user, role: 'viewer' as const };
const admin = { ...viewer, role: 'admin' as const };
const asEach = async (run: (reader: typeof viewer | typeof admin) => Promise<unknown>) => {
  await run(viewer);
  await run(admin);
};

/** Store by store, every function of it. */
const QUERIES: Record<string, Record<string, (db: Db) => Promise<unknown>>> = {
  'switch-store': {
    insertSwitches: (db) => switches.insertSwitches(db, bare),
    selectSwitches: (db) => switches.selectSwitches(db, organizationId),
    selectSwitchesAndChanges: (db) => switches.selectSwitchesAndChanges(db, organizationId),
    isSwitchedOn: (db) => switches.isSwitchedOn(db, organizationId, 'self_approval'),
    lockSwitch: (db) => switches.lockSwitch(db, organizationId, 'planner'),
    updateSwitch: (db) =>
      switches.updateSwitch(db, {
        organizationId,
        key: 'planner',
        enabled: false,
        conditions: {},
        userId: user,
        at: NOW,
      }),
  },
  'excluded-path-store': {
    selectExcludedPaths: (db) => asEach((reader) => excludedPaths.selectExcludedPaths(db, reader)),
    selectExcludedConfig: (db) => asEach((reader) => excludedPaths.selectExcludedConfig(db, reader)),
    lockForExcludedPaths: (db) => excludedPaths.lockForExcludedPaths(db, admin, repositoryId),
    upsertExcludedPaths: (db) =>
      excludedPaths.upsertExcludedPaths(db, {
        organizationId,
        repositoryId,
        paths: ['docs/'],
        userId: user,
        at: NOW,
      }),
    deleteExcludedPaths: (db) => excludedPaths.deleteExcludedPaths(db, organizationId, repositoryId),
  },
  'setting-change-store': {
    insertSettingChange: (db) =>
      settingChanges.insertSettingChange(db, {
        organizationId,
        subjectId: repositoryId,
        userId: user,
        before: {},
        after: {},
        at: NOW,
      }),
    selectSettingChanges: async (db) => {
      for (const before of [undefined, { at: NOW, id }])
        await settingChanges.selectSettingChanges(db, organizationId, organizationId, { before, limit: 51 });
    },
  },
};

describe.each(Object.entries(QUERIES))('%s', (_store, functions) => {
  it.each(Object.entries(functions))('%s is served by indexes and reads few rows', async (_name, run) => {
    const explained = await explainEach(connection, run);
    expect(explained.length).toBeGreaterThan(0);
    for (const { plan, sql } of explained) {
      expect({ sql, scanned: tablesScanned(plan) }).toEqual({ sql, scanned: [] });
      expect({ sql, few: rowsRead(plan) <= MAX_ROWS_READ, read: rowsRead(plan) }).toMatchObject({
        few: true,
      });
    }
  });
});

it('covers every store function', () => {
  const functions = [switches, excludedPaths, settingChanges].flatMap((store) => Object.keys(store));
  const listed = Object.values(QUERIES).flatMap((each) => Object.keys(each));
  expect(listed.sort()).toEqual(functions.sort());
});
