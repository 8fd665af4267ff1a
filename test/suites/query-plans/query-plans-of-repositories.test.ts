/**
 * Every query of repositories, refs and refreshes, explained on 40,000 repositories of which one organization has 10,000,
 * and one repository with 30,000 refs: each is served by an index and reads few rows.
 */
import { expect, it } from 'vitest';
import * as asks from '../../../src/features/repositories/store/ask-store.ts';
import * as descriptions from '../../../src/features/repositories/store/description-store.ts';
import * as finding from '../../../src/features/repositories/store/find-repository-store.ts';
import * as hosted from '../../../src/features/repositories/store/hosted-repository-store.ts';
import * as planLinks from '../../../src/features/repositories/store/plan-link-store.ts';
import * as refs from '../../../src/features/repositories/store/ref-store.ts';
import * as refreshes from '../../../src/features/repositories/store/refresh-store.ts';
import * as repositories from '../../../src/features/repositories/store/repository-store.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import { withConnection } from '../../../src/platform/db/index.ts';
import * as fingerprints from '../../../src/platform/secrets/fingerprint-store.ts';
import { type Queries, testCoverage, testQueries } from '../../helpers/database/check-query-plans.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';
import { explainEach, tablesScanned } from '../../helpers/database/explain-queries.ts';
import { finishFilling, numberRows, startFilling } from '../../helpers/database/fill-quickly.ts';

const ROWS = 40_000;
const OF_ONE = 10_000;
const REFS = 30_000;
const MAX_ROWS_READ = 1500;
/** A search over everything lists up to 2,000 repositories, each with its branch and whether the reader is a member. */
const MAX_ROWS: Record<string, number> = {
  selectSearchable: 3 * 2001,
  // Compares a name that nobody knows with all names of one repository.
  selectNearRefs: REFS + 1,
  // Compares the address of a submodule with those of all repositories of one organization.
  selectRepositoriesAt: 40_000,
};

const asOf = '2026-11-15 12:00:00.123456+00';
const NOW = new Date('2026-11-15T12:00:00.000Z');
const id = uuidv7();

const connection = await createTestDatabase();
const some = await withConnection(connection, async (client) => {
  await startFilling(client);
  const one = await numberRows(client, ROWS);
  await client.query(
    `INSERT INTO organizations SELECT id, 'Organization ' || n, now() FROM numbered WHERE n <= 1000`,
  );
  await client.query(
    `INSERT INTO users SELECT id, 'user' || n || '@example.com', 'User ' || n, 'x', now(), now() FROM numbered`,
  );
  await client.query(`INSERT INTO memberships SELECT o.id, u.id, 'member', now() FROM numbered u
    JOIN numbered o ON o.n = u.n % 1000 + 1`);
  await client.query(`INSERT INTO code_hosts (id, organization_id, kind, url, created_at, updated_at)
    SELECT id, id, 'gitea', 'https://example.com/' || n, now(), now() FROM numbered WHERE n <= 1000`);
  await client.query(`INSERT INTO repositories (id, organization_id, name, url, created_at, next_refresh_at, visibility, refresh_token)
    SELECT r.id, o.id, 'owner' || r.n || '/r' || r.n % 20000, 'https://example.com/' || r.n, now(),
      now() + (r.n - 100) * interval '1 second', CASE WHEN r.n % 3 = 0 THEN 'members' ELSE 'organization' END, r.id
    FROM numbered r JOIN numbered o ON o.n = CASE WHEN r.n <= ${OF_ONE} THEN 1 ELSE r.n % 999 + 2 END`);
  await client.query(`INSERT INTO repository_members SELECT r.id, m.user_id, r.organization_id FROM repositories r
    JOIN LATERAL (SELECT user_id FROM memberships m WHERE m.organization_id = r.organization_id LIMIT 3) m ON true`);
  await client.query(`INSERT INTO repository_refs SELECT r.id, CASE WHEN f.n % 10 = 0 THEN 'branch' ELSE 'tag' END, 'v' || f.n,
    o.id, repeat('a', 40) FROM numbered f JOIN numbered r ON r.n = 1 JOIN numbered o ON o.n = 1 WHERE f.n <= ${REFS}`);
  await client.query(
    `INSERT INTO repository_refs SELECT r.id, 'branch', 'main', r.organization_id, repeat('a', 40) FROM repositories r`,
  );
  await client.query(`INSERT INTO plan_pull_requests SELECT p.id, p.id, o.id, p.id, 'x', 7, p.id, now()
    FROM numbered p JOIN numbered o ON o.n = 1`);
  await client.query(`INSERT INTO plan_version_repositories (version_id, position, plan_id, organization_id, repository_id, name)
    SELECT p.id, 0, p.id, o.id, p.id, 'x' FROM numbered p JOIN numbered o ON o.n = 1`);
  await finishFilling(client);
  const { rows } = await client.query<{ user_id: string }>(
    `SELECT user_id FROM memberships WHERE organization_id = '${await one(1)}' LIMIT 1`,
  );
  return {
    organizationId: await one(1),
    many: await one(1),
    small: await one(5000),
    userId: rows[0]!.user_id,
  };
});

const { many, organizationId, small, userId } = some;
const viewer = { organizationId, userId, role: 'viewer' as const };
const admin = { organizationId, userId, role: 'admin' as const };
const toDescribe = { id: some.small, organizationId: some.organizationId, name: 'x', headCommit: null };
const claim = { repositoryId: small, token: small };
const repository = { id: small, organizationId };
const found = {
  objectFormat: 'sha1' as const,
  defaultBranch: 'main',
  headCommit: 'b'.repeat(40),
  refs: [{ kind: 'branch' as const, name: 'main', commit: 'b'.repeat(40) }],
  leftOut: 0,
  digest: Buffer.alloc(32),
};
const asEach = (run: (reader: typeof viewer | typeof admin) => Promise<unknown>) => async () => {
  await run(viewer);
  await run(admin);
};

const QUERIES: Queries = {
  'find-repository-store': {
    selectRepositoriesById: (db) =>
      asEach((reader) => finding.selectRepositoriesById(db, reader, [many, small, id]))(),
    matchRepositories: (db) =>
      asEach((reader) => finding.matchRepositories(db, reader, ['owner7/r7', 'r7', 'none']))(),
    suggestRepositories: (db) => asEach((reader) => finding.suggestRepositories(db, reader, 'r77777'))(),
    selectSearchable: (db) =>
      asEach(async (reader) => {
        await finding.selectSearchable(db, reader, undefined, 2001);
        await finding.selectSearchable(db, reader, 'main', 2001);
      })(),
    resolveRepository: (db) =>
      asEach(async (reader) => {
        for (const name of ['owner7/r7', 'R7', 'none']) await finding.resolveRepository(db, reader, name);
      })(),
  },
  'ref-store': {
    resolveRef: async (db) => {
      for (const name of ['v500', 'refs/tags/v7', 'none']) await refs.resolveRef(db, many, name);
    },
    selectRefs: async (db) => {
      for (const filter of [
        {},
        { kind: 'tag' as const },
        { without: 'main', after: { kind: 'tag', name: 'v2' } },
      ])
        await refs.selectRefs(db, many, { limit: 51, ...filter });
    },
    selectNearRefs: (db) =>
      refs.selectNearRefs(db, many, { name: 'fix/v77777', kinds: ['branch', 'tag'], limit: 500 }),
    selectRef: (db) => refs.selectRef(db, many, 'branch', 'main'),
    replaceRefs: (db) => refs.replaceRefs(db, repository, found.refs),
  },
  'repository-store': {
    lockRepositories: (db) => repositories.lockRepositories(db, organizationId),
    selectPushFacts: (db) => repositories.selectPushFacts(db, id),
    notePush: async (db) => {
      await repositories.notePush(db, id, true);
      await repositories.notePush(db, id, false);
    },
    insertRepository: (db) =>
      repositories.insertRepository(db, {
        id,
        organizationId,
        name: 'new/new',
        url: 'x',
        addedByOperator: false,
        credentialKind: 'none',
        credential: null,
        visibility: 'organization',
        at: NOW,
      }),
    selectRepositoriesAt: (db) =>
      asEach((reader) => repositories.selectRepositoriesAt(db, reader, 'owner5'))(),
    selectRepositories: (db) =>
      asEach(async (reader) => {
        await repositories.selectRepositories(db, reader, { limit: 51 });
        await repositories.selectRepositories(db, reader, { limit: 51, afterName: 'owner5' });
      })(),
    selectRepository: (db) => asEach((reader) => repositories.selectRepository(db, reader, small))(),
    selectMembersOf: (db) => repositories.selectMembersOf(db, [small, many]),
    replaceMembers: (db) => repositories.replaceMembers(db, repository, [userId]),
    lockRepository: (db) => repositories.lockRepository(db, organizationId, small),
    updateRepository: (db) =>
      repositories.updateRepository(db, organizationId, small, { name: 'x/y', updated_at: NOW }),
    isNameTaken: (db) => repositories.isNameTaken(db, organizationId, 'owner7/r7', small),
    askForRefresh: (db) => repositories.askForRefresh(db, small),
    selectPushToken: (db) => repositories.selectPushToken(db, small),
    deleteRepository: (db) => repositories.deleteRepository(db, organizationId, small),
  },
  'plan-link-store': {
    attachPlanLinks: (db) => planLinks.attachPlanLinks(db, { id: small, organizationId, name: 'owner7/r7' }),
    keepNameInPlans: (db) => planLinks.keepNameInPlans(db, small),
  },
  'hosted-repository-store': {
    setCodeHost: (db) => hosted.setCodeHost(db, { id: small, organizationId }, null),
    releaseFromCodeHost: (db) => hosted.releaseFromCodeHost(db, organizationId, id),
    followRename: (db) => hosted.followRename(db, small, { from: 'a/b', to: 'a/c', url: '/x' }),
    setVisibility: (db) =>
      hosted.setVisibility(db, { id: small, organizationId }, { from: 'host', visibility: 'members' }),
  },
  'description-store': {
    claimUndescribed: (db) => descriptions.claimUndescribed(db, 100),
    startDescribing: (db) => descriptions.startDescribing(db, small),
    lockToDescribe: (db) => descriptions.lockToDescribe(db, toDescribe),
    finishDescribing: (db) => descriptions.finishDescribing(db, toDescribe),
    releaseDescribing: (db) => descriptions.releaseDescribing(db, small),
    noteDescribeProblem: (db) => descriptions.noteDescribeProblem(db, small, 'x'),
  },
  'refresh-store': {
    claimRefresh: (db) => refreshes.claimRefresh(db, claim, { onlyWhenDue: true }),
    renewClaim: (db) => refreshes.renewClaim(db, claim, {}),
    lockClaimedRefresh: (db) => refreshes.lockClaimedRefresh(db, claim),
    writeRefs: (db) =>
      refreshes.writeRefs(db, { id: small, organization_id: organizationId, refs_digest: null }, found, asOf),
    finishRefresh: (db) => refreshes.finishRefresh(db, claim, 1000),
    failRefresh: (db) => refreshes.failRefresh(db, claim, { problem: 'x', delayMs: 1000 }),
    releaseClaim: (db) => refreshes.releaseClaim(db, claim),
    lockDueRefreshes: (db) => refreshes.lockDueRefreshes(db, 100),
    markRefreshQueued: (db) => refreshes.markRefreshQueued(db, [small, many]),
    selectOrigin: (db) => refreshes.selectOrigin(db, small),
    selectExpectedMirror: (db) => refreshes.selectExpectedMirror(db, small),
    selectExistingRepositories: (db) => refreshes.selectExistingRepositories(db, [small, many, id]),
  },
  'ask-store': {
    takeAsk: (db) => asks.takeAsk(db, small),
    selectAsk: (db) => asks.selectAsk(db, small),
    lockAsked: (db) => asks.lockAsked(db, small, { url: '/x', asOf }),
  },
};

/** They read all rows of one organization, which are limited, or a table with a single row. */
const BOUNDED_OTHERWISE = [
  ...['countRepositories', 'selectFingerprint', 'claimFingerprint'],
  // Once, for all repositories.
  'describeAgain',
  // It reads tables of code hosts, which are empty here.
  'applyReaders',
  // A part of marking webhooks, which query-plans-of-code-hosts.test.ts has.
  'askForRefreshOf',
];

testQueries(connection, QUERIES, { maxRowsRead: MAX_ROWS_READ, maxRowsOf: MAX_ROWS });

const STORES = [finding, refs, repositories, refreshes, asks, planLinks, hosted, descriptions, fingerprints];
testCoverage(QUERIES, STORES, BOUNDED_OTHERWISE);

it('searches for part of a name only within one organization or one repository', async () => {
  const explained = await explainEach(connection, async (db) => {
    await repositories.selectRepositories(db, viewer, { search: 'r77', limit: 51 });
    await refs.selectRefs(db, many, { search: '77', limit: 51 });
  });
  for (const { plan } of explained) expect(tablesScanned(plan)).toEqual([]);
});
