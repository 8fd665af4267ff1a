/** Organization settings: their rows, conditions, history, and GET /api/v2/reviewer/config. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import { makeRepositoryRow } from '../../../test/helpers/rows/pull-requests.ts';
import { startTestService, withKey, withSession } from '../../../test/helpers/service/harness.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { withConnection } from '../../platform/db/index.ts';
import { createOrganization } from '../accounts/members/create-organization.ts';
import { operatorOf } from '../audit/index.ts';
import { ORGANIZATION_SETTINGS, SETTING_KEYS, type SettingKey } from './contract.ts';
import { isSettingOn, lockSetting, selectSettings } from './setting-store.ts';

const service = await startTestService();
const { acme, clock, db, globex } = service;

const config = async (as = withKey(acme.viewer)) => {
  const answer = await service.request('GET', '/api/v2/reviewer/config', { as });
  expect(answer.status).toBe(200);
  return answer.body;
};
const change = (key: SettingKey, body: object, as = withSession(acme.admin)) =>
  service.request('PATCH', `/api/v2/organization/switches/${key}`, { as, body });
const changesOf = async (key: SettingKey) =>
  (
    await service.request('GET', `/api/v2/organization/switches/${key}/changes`, {
      as: withSession(acme.admin),
    })
  ).body.changes;
const metadataOf = async (key: SettingKey, as = withKey(acme.viewer)) =>
  (await config(as)).orgConfig.find((row: { key: string }) => row.key === key).configurationMetadata;

describe('GET /api/v2/reviewer/config', () => {
  it('has the nine settings by name, with their defaults and the ids they were created with', async () => {
    const { orgConfig } = await config(withKey(globex.viewer));
    expect(orgConfig.map(({ key }: { key: string }) => key)).toEqual([...SETTING_KEYS].sort());
    for (const { configurationMetadata, enabled, key } of orgConfig) {
      expect([enabled, configurationMetadata]).toEqual([
        ORGANIZATION_SETTINGS[key as SettingKey].default,
        {},
      ]);
    }
    await service.request('PATCH', '/api/v2/organization/switches/planner', {
      as: withSession(globex.admin),
      body: { enabled: false },
    });
    const idsOf = (rows: { configurationId: string }[]) => rows.map(({ configurationId }) => configurationId);
    expect(idsOf((await config(withKey(globex.viewer))).orgConfig)).toEqual(idsOf(orgConfig));
  });

  it('shows excluded paths and names of the repositories that the caller sees', async () => {
    const hidden = await makeRepositoryRow(service, acme.id, { name: 'acme/hidden', members: [acme.member] });
    const shared = await makeRepositoryRow(service, acme.id, { name: 'acme/shared' });
    for (const { id } of [shared, hidden]) {
      const answer = await service.request('PUT', `/api/v2/repositories/${id}/excluded-paths`, {
        as: withSession(acme.admin),
        body: { paths: ['vendor/', '*.lock', 'vendor/'] },
      });
      expect(answer.status).toBe(200);
    }
    const conditions = { repositories: [shared.id, hidden.id], maxLines: 2000 };
    expect((await change('review_on_every_push', { conditions })).status).toBe(200);
    const rowOf = ({ id, name }: { id: string; name: string }) => ({
      repoName: name,
      paths: ['vendor/', '*.lock'],
      repoId: id,
    });
    expect((await config(withKey(acme.viewer))).excludedConfig).toEqual([rowOf(shared)]);
    expect((await config(withKey(acme.member))).excludedConfig).toEqual([rowOf(hidden), rowOf(shared)]);
    expect(await metadataOf('review_on_every_push')).toEqual({
      repositories: ['acme/shared'],
      maxLines: 2000,
    });
    expect(await metadataOf('review_on_every_push', withKey(acme.member))).toEqual({
      repositories: ['acme/hidden', 'acme/shared'],
      maxLines: 2000,
    });
    await change('review_on_every_push', { conditions: {} });
    expect(await metadataOf('review_on_every_push')).toEqual({});
  });
});

describe('conditions', () => {
  it('are kept without repetitions and empty lists, and {} removes them', async () => {
    const conditions = { authors: ['ada', 'ada'], excludedPaths: [], maxFiles: 20, repositories: null };
    const answer = await change('review_only_on_request', { conditions });
    expect(answer.status).toBe(200);
    expect(await metadataOf('review_only_on_request')).toEqual({ authors: ['ada'], maxFiles: 20 });
    const again = await change('review_only_on_request', { conditions: { authors: ['ada'], maxFiles: 20 } });
    expect(again.body).toEqual(answer.body);
    await change('review_only_on_request', { conditions: {} });
    expect(await changesOf('review_only_on_request')).toMatchObject([
      {
        changedBy: { id: acme.admin.userId, name: 'Acme admin' },
        before: { enabled: false, conditions: { authors: ['ada'], maxFiles: 20 } },
        after: { enabled: false, conditions: {} },
      },
      { before: { enabled: false, conditions: {} } },
    ]);
  });

  it('list every mistake at once', async () => {
    const conditions = {
      repositories: ['x'],
      authors: [' '],
      excludedPaths: ['ok', '[b-a]'],
      maxLines: 0,
      maxFiles: 1.5,
      maxfiles: 1,
    };
    const { body, status } = await change('review_on_every_push', { conditions });
    expect(status).toBe(400);
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'conditions.authors[0]',
      'conditions.excludedPaths[1]',
      'conditions.maxFiles',
      'conditions.maxLines',
      'conditions.maxfiles',
      'conditions.repositories[0]',
    ]);
  });

  it('name only known repositories, and only settings about reviews take them', async () => {
    const other = await makeRepositoryRow(service, globex.id);
    for (const id of [other.id, randomUUID()]) {
      const { body, status } = await change('auto_approve_clean', { conditions: { repositories: [id] } });
      expect([status, body.errors[0].path]).toEqual([400, 'conditions.repositories[0]']);
    }
    expect((await change('planner', { conditions: { maxLines: 5 } })).status).toBe(400);
    expect((await change('planner', { conditions: {} })).status).toBe(200);
  });
});

describe('excluded paths', () => {
  it('are replaced as a whole, recorded, and removed by an empty list', async () => {
    const { id } = await makeRepositoryRow(service, acme.id, { name: 'acme/paths' });
    const path = `/api/v2/repositories/${id}/excluded-paths`;
    const set = (paths: string[], as = withSession(acme.admin)) =>
      service.request('PUT', path, { as, body: { paths } });
    const { body } = await set(['/dist/**']);
    expect(body.repositories.find((row: { repositoryId: string }) => row.repositoryId === id)).toMatchObject({
      repositoryName: 'acme/paths',
      paths: ['/dist/**'],
      updatedBy: { name: 'Acme admin' },
    });
    await set(['/dist/**']);
    await set([]);
    const list = await service.request('GET', '/api/v2/organization/excluded-paths', {
      as: withSession(acme.viewer),
    });
    expect(JSON.stringify(list.body)).not.toContain(id);
    const history = await service.request('GET', `${path}/changes`, { as: withSession(acme.viewer) });
    expect(history.body).toMatchObject({
      changes: [
        { before: { paths: ['/dist/**'] }, after: { paths: [] } },
        { before: { paths: [] }, after: { paths: ['/dist/**'] } },
      ],
      nextCursor: null,
    });
    const recorded = await db
      .selectFrom('audit_events')
      .select('detail')
      .where('action', '=', 'excluded_paths.changed')
      .where('subject_id', '=', id)
      .execute();
    expect(recorded).toHaveLength(2);
  });

  it('must be globs, of a repository that the caller manages', async () => {
    const hidden = await makeRepositoryRow(service, acme.id, { members: [] });
    const path = `/api/v2/repositories/${hidden.id}/excluded-paths`;
    const put = (body: object, as = withSession(acme.admin)) => service.request('PUT', path, { as, body });
    const { body, status } = await put({ paths: ['a', '[b-a]', ''] });
    expect([status, body.errors.map((error: { path: string }) => error.path)]).toEqual([
      400,
      ['paths[1]', 'paths[2]'],
    ]);
    const useless = await put({ paths: ['/', '../x', 'a/./b', 'a//b', './a', '/a/', '..a', '**'] });
    expect(useless.body.errors).toEqual([
      { path: 'paths[0]', message: 'names no file or folder; use `**` to exclude every file' },
      ...[
        'uses `..`, but paths start at the root of the repository',
        'no `.` between slashes',
        'no empty parts',
      ].map((message, index) => ({
        path: `paths[${index + 1}]`,
        message: expect.stringContaining(message),
      })),
    ]);
    const condition = await service.request('PATCH', '/api/v2/organization/switches/review_on_every_push', {
      as: withSession(acme.admin),
      body: { conditions: { excludedPaths: ['../x'] } },
    });
    expect(condition.body.errors).toMatchObject([{ path: 'conditions.excludedPaths[0]' }]);
    expect((await put({ paths: Array(101).fill('a') })).status).toBe(400);
    expect((await put({ paths: ['a'] }, withSession(acme.member))).status).toBe(403);
    expect((await put({ paths: ['a'] }, withSession(globex.admin))).status).toBe(404);
    const history = await service.request('GET', `${path}/changes`, { as: withSession(acme.viewer) });
    expect(history.status).toBe(404);
  });
});

it('turning the planner off makes posting a plan a 403 that says so; turning it on allows it', async () => {
  const post = () =>
    service.request('POST', '/api/v2/plans', {
      as: withKey(acme.member),
      body: { seriesKey: randomUUID(), content: '# Plan', agentVendor: 'codex' },
    });
  await change('planner', { enabled: false });
  const refused = await post();
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  expect(refused.body.detail).toContain('`planner`');
  await change('planner', { enabled: true });
  expect((await post()).status).toBe(201);
});

it('a new organization has the nine settings', async () => {
  const owner = { organizationName: 'New', name: 'N', email: 'n@new.example', passwordHash: 'x' };
  const { organizationId } = await db
    .transaction()
    .execute((transaction) =>
      createOrganization(transaction, owner, (id) => operatorOf(id, clock.now()), clock.now()),
    );
  const rows = await db
    .selectFrom('organization_switches')
    .select(['key', 'enabled'])
    .where('organization_id', '=', organizationId)
    .execute();
  expect(Object.fromEntries(rows.map(({ enabled, key }) => [key, enabled]))).toEqual(
    Object.fromEntries(SETTING_KEYS.map((key) => [key, ORGANIZATION_SETTINGS[key].default])),
  );
});

describe('while versions run side by side, an organization', () => {
  const make = async (name: string) => {
    const owner = { organizationName: name, name, email: `${name}@side.example`, passwordHash: 'x' };
    const { organizationId } = await db
      .transaction()
      .execute((transaction) =>
        createOrganization(transaction, owner, (id) => operatorOf(id, clock.now()), clock.now()),
      );
    return organizationId;
  };

  it('gets a setting that it lacks when its settings are read, once, and until then has its default', async () => {
    const organizationId = await make('lacking');
    await db.deleteFrom('organization_switches').where('organization_id', '=', organizationId).execute();
    expect(await isSettingOn(db, organizationId, 'planner')).toBe(true);
    const reads = await Promise.all([1, 2, 3].map(() => selectSettings(db, organizationId)));
    for (const rows of reads) {
      expect(rows.map(({ key }) => key).sort()).toEqual([...SETTING_KEYS].sort());
    }
    const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();
    expect(new Set(reads.map((rows) => idsOf(rows).join()))).toHaveLength(1);
  });

  it('can change a setting that it lacks', async () => {
    const organizationId = await make('changing');
    await db.deleteFrom('organization_switches').where('organization_id', '=', organizationId).execute();
    expect(await lockSetting(db, organizationId, 'self_approval')).toMatchObject({ enabled: false });
  });

  it('does not show a setting of a newer version', async () => {
    const organizationId = await make('newer');
    await db
      .insertInto('organization_switches')
      .values({ id: uuidv7(), organization_id: organizationId, key: 'from_the_future', enabled: true })
      .execute();
    expect((await selectSettings(db, organizationId)).map(({ key }) => key).sort()).toEqual(
      [...SETTING_KEYS].sort(),
    );
  });

  it('that was deleted has none, and gets none', async () => {
    expect(await selectSettings(db, randomUUID())).toEqual([]);
  });
});

it('migration 0019 gave existing organizations the settings that they lacked, with ids of version 7, and kept those they changed', async () => {
  const folder = join(import.meta.dirname, '../../platform/db/migrations');
  const migration = readFileSync(join(folder, '0019_reviewers.sql'), 'utf8');
  const statement = /INSERT INTO organization_switches[^;]*;/.exec(migration)![0];
  const newId = /CREATE FUNCTION pg_temp[\s\S]*?\$\$[\s\S]*?\$\$;/.exec(migration)![0];
  await withConnection(await createTestDatabase(), async (client) => {
    await client.query(newId);
    await client.query(`INSERT INTO organizations VALUES (gen_random_uuid(), 'Old', now())`);
    await client.query(`INSERT INTO organization_switches (id, organization_id, key, enabled)
      SELECT gen_random_uuid(), id, 'self_approval', true FROM organizations`);
    await client.query(statement);
    const { rows } = await client.query('SELECT id, key, enabled FROM organization_switches');
    expect(Object.fromEntries(rows.map(({ enabled, key }) => [key, enabled]))).toEqual({
      ...{ review_draft_pull_requests: true, review_on_every_push: true, review_only_on_request: false },
      ...{ re_review_after_resolution: true, auto_resolve_addressed: false, auto_approve_clean: false },
      ...{ generate_description: false, planner: true, self_approval: true },
    });
    const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    for (const { id, key } of rows) if (key !== 'self_approval') expect(id).toMatch(VERSION_7);
  });
});
