/**
 * Every query of settings, models and reviewers, explained on 1,000 organizations, of which one has 10,000 repositories: each is
 * served by an index and reads few rows.
 */
import * as advisories from '../../../src/features/advisories/advisory-store.ts';
import * as models from '../../../src/features/models/model-store.ts';
import * as excludedPaths from '../../../src/features/organization-settings/excluded-path-store.ts';
import * as settingChanges from '../../../src/features/organization-settings/setting-change-store.ts';
import * as settings from '../../../src/features/organization-settings/setting-store.ts';
import * as active from '../../../src/features/reviewers/store/active-reviewer-store.ts';
import * as lists from '../../../src/features/reviewers/store/reviewer-list-store.ts';
import * as reviewers from '../../../src/features/reviewers/store/reviewer-store.ts';
import { selectModelTests } from '../../../src/features/system/organization-check-store.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import { withConnection } from '../../../src/platform/db/index.ts';
import { type Queries, testCoverage, testQueries } from '../../helpers/database/check-query-plans.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';
import { finishFilling, numberRows, startFilling } from '../../helpers/database/fill-quickly.ts';

const ROWS = 20_000;
const ORGANIZATIONS = 1000;
const MAX_ROWS_READ = 1500;
const NOW = new Date('2026-11-15T12:00:00.000Z');
const id = uuidv7();

const connection = await createTestDatabase();
const some = await withConnection(connection, async (client) => {
  const fill = (text: string) => client.query(text.replaceAll('NOW', `timestamptz '${NOW.toISOString()}'`));
  await startFilling(client);
  const one = await numberRows(client, ROWS);
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
  await fill(
    `INSERT INTO advisories SELECT 'npm', 'package-' || n / 2, 'GHSA-' || n, '', NULL, '{}', '[]', '{}' FROM numbered`,
  );
  await fill(`INSERT INTO advisory_imports VALUES (NOW, ${ROWS})`);
  await fill(`INSERT INTO organization_switches SELECT gen_random_uuid(), o.id, k.key, true, NULL, NULL, '{}' FROM organizations o JOIN numbered n ON n.id = o.id AND n.n < ${ORGANIZATIONS},
    unnest(ARRAY['planner', 'self_approval', 'review_on_every_push']) AS k (key)`);
  await fill(`INSERT INTO excluded_paths SELECT r.id, r.organization_id, '{vendor/}', o.id, NOW
    FROM repositories r JOIN numbered n USING (id) JOIN numbered o ON o.n = 1 WHERE n.n % 500 = 0 OR n.n > ${ROWS / 2}`);
  await fill(`INSERT INTO setting_changes SELECT n.id, o.id, CASE WHEN n.n % 10 = 0 THEN o.id ELSE n.id END, o.id, '{}', '{}', NOW - n.n * interval '1 second'
    FROM numbered n JOIN numbered o ON o.n = 1`);
  // Organization 1 has 30 reviewers; one of them opened half of all discussions, all in repositories that viewers can't see.
  await fill(`INSERT INTO reviewers (id, organization_id, title, enabled, active_version, newest_version, created_at, updated_at)
    SELECT n.id, o.id, 'Reviewer ' || n.n, true, 1, 1, NOW, NOW FROM numbered n
    JOIN numbered o ON o.n = CASE WHEN n.n <= 30 THEN 1 ELSE n.n % ${ORGANIZATIONS} + 1 END`);
  await fill(
    `INSERT INTO reviewer_versions SELECT v.id, 1, v.organization_id, v.title, '', 'instructions', 'x', NULL, NOW FROM reviewers v`,
  );
  await fill(`INSERT INTO reviewer_scopes SELECT v.id, 1, 0, v.organization_id, CASE WHEN n.n % 2 = 0 THEN v.id END, '{}'
    FROM reviewers v JOIN numbered n USING (id)`);
  await fill(`INSERT INTO pull_requests (id, organization_id, repository_id, number, origin, title, description, state,
      author_kind, author_name, head_branch, base_branch, head_count, labels, created_at, updated_at, last_event,
      discussion_count, open_discussion_count, comment_count)
    SELECT id, organization_id, id, 7, 'git', 'T', '', 'open', 'person', 'A', 'h', 'main', 1, '{}', NOW, NOW, 1, 0, 0, 0
    FROM repositories`);
  await fill(`INSERT INTO discussions (id, organization_id, repository_id, pull_request_id, file, side, start_line, end_line,
      commented_code, author_kind, author_name, created_at, updated_at, status, status_cause, status_at, judged_from, sending, reviewer_id)
    SELECT n.id, r.organization_id, r.id, r.id, 'a', 'new', 1, 1, '', 'reviewer', 'x', NOW - n.n * interval '1 second', NOW,
      'open', 'opened', NOW, 1, 'none', v.id
    FROM numbered n JOIN repositories r USING (id) JOIN numbered v ON v.n = CASE WHEN n.n % 2 = 0 THEN n.n % 30 + 1 ELSE 1 END`);
  await fill(`INSERT INTO review_candidates SELECT id, 0, organization_id, pull_request_id, reviewer_id, 'c', 'secret', 's', 't', 's', 'f',
    'head', 1, 'q', '[]', NULL, 'k', 'finding', NULL, id FROM discussions`);
  await fill(
    `INSERT INTO model_settings SELECT o.id, NULL, NULL, NULL, NULL, 1, 1, 1, NULL, NULL, o.id, NOW FROM organizations o`,
  );
  // Organization 1 used models 100 times this month and much more before.
  await fill(`INSERT INTO model_usage SELECT n.id, 'm', o.id, 'review', n.id, CASE WHEN n.n <= 100 THEN '2026-11' ELSE '2026-' || n.n % 10 END, 1, 1, 1
    FROM numbered n JOIN numbered o ON o.n = CASE WHEN n.n <= ${ROWS / 2} THEN 1 ELSE n.n % ${ORGANIZATIONS} + 1 END`);
  await finishFilling(client);
  return {
    organizationId: await one(1),
    user: await one(1),
    repositoryId: await one(1000),
    bare: await one(ORGANIZATIONS),
    reviewerId: await one(2),
    many: (await client.query<{ id: string }>('SELECT id FROM numbered WHERE n <= 30')).rows.map(
      (row) => row.id,
    ),
  };
});

const { bare, many, organizationId, repositoryId, reviewerId, user } = some;
const viewer = { organizationId, userId: user, role: 'viewer' as const };
const admin = { ...viewer, role: 'admin' as const };
const asEach = async (run: (reader: typeof viewer | typeof admin) => Promise<unknown>) => {
  await run(viewer);
  await run(admin);
};

const content = {
  title: 'New',
  description: '',
  kind: 'instructions' as const,
  body: 'x',
  scopes: [{ repositoryId: null, paths: [] }],
};

/** Store by store, every function of it. */
const QUERIES: Queries = {
  'switch-store': {
    insertSettings: (db) => settings.insertSettings(db, bare),
    selectSettings: (db) => settings.selectSettings(db, organizationId),
    selectSettingStates: (db) => settings.selectSettingStates(db, organizationId),
    selectSettingsAndChanges: (db) => settings.selectSettingsAndChanges(db, organizationId),
    isSettingOn: (db) => settings.isSettingOn(db, organizationId, 'self_approval'),
    lockSetting: (db) => settings.lockSetting(db, organizationId, 'planner'),
    updateSetting: (db) =>
      settings.updateSetting(db, {
        organizationId,
        key: 'planner',
        enabled: false,
        conditions: {},
        userId: user,
        at: NOW,
      }),
  },
  'model-store': {
    selectModelSettings: (db) => models.selectModelSettings(db, organizationId, { lock: true }),
    upsertModelSettings: (db) =>
      models.upsertModelSettings(db, {
        ...{ organizationId, finding: null, findingKey: null, secondLook: null, secondLookKey: null },
        ...{ budgets: { run: 1, pullRequest: 1, month: 1 }, userId: user, at: NOW },
      }),
    writeTest: (db) =>
      models.writeTest(db, organizationId, {
        tested: { finding: { answers: true, callsTools: true, problem: null }, secondLook: null },
        at: NOW,
        settingsOf: NOW,
      }),
    deleteModelSettings: (db) => models.deleteModelSettings(db, organizationId),
    addUsage: (db) =>
      models.addUsage(
        db,
        { id: user, organizationId, purpose: 'review', pullRequestId: null },
        { model: 'm', inputTokens: 1, outputTokens: 1, at: NOW },
      ),
    selectMonthUsage: (db) => models.selectMonthUsage(db, organizationId, NOW),
    selectPullRequestUsage: (db) => models.selectPullRequestUsage(db, organizationId, user),
    selectRunUsage: (db) => models.selectRunUsage(db, organizationId, user),
  },
  'excluded-path-store': {
    selectPathsToSkip: (db) =>
      excludedPaths.selectPathsToSkip(db, { organizationId, repositoryId: organizationId }),
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
  'reviewer-list-store': {
    selectReviewers: async (db) => {
      for (const filter of [{}, { enabled: true }, { repositoryId }, { enabled: false, repositoryId }])
        await lists.selectReviewers(db, organizationId, filter);
    },
    selectScopes: (db) =>
      asEach((reader) =>
        lists.selectScopes(
          db,
          reader,
          many.map((id) => ({ id, version: 1 })),
        ),
      ),
    selectNewestDiscussions: (db) =>
      asEach((reader) => lists.selectNewestDiscussions(db, reader, many.slice(1, 21))),
    selectFindings: (db) => lists.selectFindings(db, many.slice(0, 10)),
  },
  'active-reviewer-store': {
    selectActiveReviewers: (db) => active.selectActiveReviewers(db, { organizationId, repositoryId }),
    selectReviewerVersion: (db) =>
      active.selectReviewerVersion(db, { organizationId, repositoryId, reviewerId, version: 1 }),
    saveFileReviewers: (db) =>
      active.saveFileReviewers(db, { organizationId, repositoryId, at: NOW }, [{ path: 'a.md', title: 'A' }]),
  },
  'reviewer-store': {
    insertBuiltInReviewers: (db) => reviewers.insertBuiltInReviewers(db, bare, NOW),
    insertReviewer: (db) =>
      reviewers.insertReviewer(db, {
        id,
        organizationId,
        title: 'New',
        enabled: true,
        userId: user,
        at: NOW,
      }),
    lockReviewers: (db) => reviewers.lockReviewers(db, organizationId),
    countCustomReviewers: (db) => reviewers.countCustomReviewers(db, organizationId),
    selectReviewerByTitle: (db) => reviewers.selectReviewerByTitle(db, organizationId, 'Reviewer 2'),
    selectReviewer: (db) => reviewers.selectReviewer(db, organizationId, reviewerId),
    lockReviewer: (db) => reviewers.lockReviewer(db, organizationId, reviewerId),
    updateReviewer: (db) =>
      reviewers.updateReviewer(db, organizationId, reviewerId, { enabled: false, updated_at: NOW }),
    insertVersion: (db) =>
      reviewers.insertVersion(db, {
        ...content,
        reviewerId,
        number: 2,
        organizationId,
        userId: user,
        at: NOW,
      }),
    selectAllScopes: (db) => reviewers.selectAllScopes(db, reviewerId, 1),
    selectVersions: async (db) => {
      for (const before of [undefined, 2])
        await reviewers.selectVersions(db, organizationId, reviewerId, { before, limit: 51 });
    },
    selectVersion: (db) => reviewers.selectVersion(db, organizationId, reviewerId, 1),
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
  'advisory-store': {
    selectLastImport: (db) => advisories.selectLastImport(db),
    selectAdvisories: (db) =>
      advisories.selectAdvisories(
        db,
        Array.from({ length: 500 }, (_, n) => ({ ecosystem: 'npm', package: `package-${n}` })),
      ),
  },
  'organization-check-store': {
    selectModelTests: (db) => selectModelTests(db, organizationId),
  },
};

testQueries(connection, QUERIES, {
  maxRowsRead: MAX_ROWS_READ,
  // It has one row.
  scans: { selectLastImport: ['advisory_imports'] },
});

const STORES = [active, advisories, lists, models, reviewers, settings, excludedPaths, settingChanges];
// An import reads and writes whole tables.
const WHOLE_TABLES = ['createIncoming', 'finishImport', 'tryLockImports', 'writeAdvisories'];
testCoverage(QUERIES, [...STORES, { selectModelTests }], WHOLE_TABLES);
