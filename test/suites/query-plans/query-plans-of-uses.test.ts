/**
 * Every query for who uses what, explained on 100,000 facts of 5,000 repositories, of which one organization has 2,500:
 * each is served by an index and reads few rows.
 */
import { expect, it } from 'vitest';
import { selectProvided } from '../../../src/features/architecture/describe/fact-store.ts';
import {
  selectSummaries,
  selectSummariesOf,
} from '../../../src/features/architecture/describe/summary-store.ts';
import * as search from '../../../src/features/architecture/find/search-store.ts';
import * as uses from '../../../src/features/architecture/uses/use-store.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import { type Db, withConnection } from '../../../src/platform/db/index.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';
import { explainEach, rowsRead, scansOf, tablesScanned } from '../../helpers/database/explain-queries.ts';
import { finishFilling, startFilling } from '../../helpers/database/fill-quickly.ts';

const REPOSITORIES = 5000;
const OF_EACH = 20;
const MAX_ROWS_READ = 1500;

const organizationId = uuidv7();
const userId = uuidv7();
const connection = await createTestDatabase();
const [usingId, repositoryId] = await withConnection(connection, async (client) => {
  await startFilling(client);
  await client.query(`INSERT INTO repositories (id, organization_id, name, created_at, head_commit, visibility)
    SELECT gen_random_uuid(), CASE WHEN n % 2 = 0 THEN '${organizationId}'::uuid ELSE gen_random_uuid() END,
      'owner/r' || n, now(), repeat('0', 40), CASE WHEN n % 3 = 0 THEN 'members' ELSE 'organization' END
    FROM generate_series(1, ${REPOSITORIES}) n`);
  await client.query(
    `INSERT INTO repository_members SELECT id, '${userId}', organization_id FROM repositories`,
  );
  await client.query(`INSERT INTO memberships (organization_id, user_id, role, created_at)
    SELECT '${organizationId}', CASE n WHEN 1 THEN '${userId}' ELSE gen_random_uuid() END, 'member', now()
    FROM generate_series(1, 3000) n`);
  // Each provides ten names and uses those of the next repository.
  await client.query(`INSERT INTO architecture_facts (repository_id, id, organization_id, kind, role, name, part, path, line)
    SELECT r.id, gen_random_uuid(), r.organization_id, CASE WHEN n % 2 = 0 THEN 'package' ELSE 'route' END,
      CASE WHEN n < ${OF_EACH / 2} THEN 'provides' ELSE 'uses' END,
      CASE WHEN n % 2 = 0 THEN 'npm:p' ELSE 'GET /p' END
        || (substr(r.name, 8)::int + CASE WHEN n < ${OF_EACH / 2} THEN 0 ELSE 2 END) || '/' || n % ${OF_EACH / 2}, '', 'x.ts', n + 1
    FROM repositories r CROSS JOIN generate_series(0, ${OF_EACH - 1}) n`);
  await client.query(`INSERT INTO architecture_summaries
      (repository_id, domain, organization_id, commit, sentences, summary, words, main_words)
    SELECT r.id, d, r.organization_id, repeat('0', 40), '[]', 'x', to_tsvector('simple', replace(r.name, '/', ' ') || ' ' || d),
      to_tsvector('simple', replace(r.name, '/', ' '))
    FROM repositories r CROSS JOIN unnest(ARRAY['API', 'DATA']) d`);
  await client.query(`INSERT INTO architecture_words
    SELECT * FROM architecture_words_of(ARRAY(SELECT id FROM repositories))`);
  await client.query(`INSERT INTO architecture_code_words
      (repository_id, word, organization_id, domain, weight, name, path, line)
    SELECT r.id, w, r.organization_id, 0, 50, w, 'src/' || w || '.ts', 1
    FROM repositories r CROSS JOIN unnest(ARRAY['common', 'only' || substr(r.name, 8)]) w`);
  await finishFilling(client);
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM repositories WHERE name IN ('owner/r998', 'owner/r1000') ORDER BY name DESC`,
  );
  return [rows[0]!.id, rows[1]!.id] as const;
});

const READERS = [
  { organizationId, userId, role: 'viewer' as const },
  { organizationId, userId, role: 'admin' as const },
];
const asEach = async (run: (reader: (typeof READERS)[number]) => Promise<unknown[]>) => {
  for (const reader of READERS) expect((await run(reader)).length).toBeGreaterThan(0);
};
const limits = { repositories: 101, places: 20 };
const neighbours = (of: number) => ({
  repositoryId,
  names: [0, 2, 4, 6, 8].map((n) => ({ thing: n, kind: 'package' as const, name: `npm:p${of}/${n}` })),
  maxProviders: 3,
  limits,
});

const own = { organizationId, repositoryId };
const lost = neighbours(1000).names.map((each) => ({ ...each, package: each.name, isDeclared: true }));

const QUERIES: Record<keyof typeof uses, (db: Db) => Promise<unknown>> = {
  findUses: (db) =>
    asEach((reader) =>
      uses.findUses(
        db,
        reader,
        [
          { kind: 'route', name: 'GET /p1000/1' },
          { kind: 'route', name: 'ANY /p1000/1' },
          { kind: 'package', name: 'npm:p1000/2' },
        ],
        limits,
      ),
    ),
  selectDependents: (db) =>
    asEach(async () => {
      const of = { repositoryId, symbols: ['maven:a.B'], candidates: [userId, usingId] };
      return (await uses.selectDependents(db, organizationId, of)).ids;
    }),
  selectOwnFacts: (db) =>
    asEach(() =>
      uses.selectOwnFacts(db, organizationId, {
        repositoryId,
        role: 'uses',
        kinds: ['package', 'route', 'table'],
        limit: 2000,
      }),
    ),
  selectDependencies: (db) => asEach((reader) => uses.selectDependencies(db, reader, neighbours(1002))),
  selectConsumers: (db) => asEach((reader) => uses.selectConsumers(db, reader, neighbours(1000))),
  selectUsesElsewhere: (db) => asEach(() => uses.selectUsesElsewhere(db, own, lost, limits)),
  selectLostEverywhere: (db) => asEach(() => uses.selectLostEverywhere(db, own, lost)),
  selectUndescribed: (db) => asEach(() => uses.selectUndescribed(db, own, 20)),
};

it.each(Object.entries(QUERIES))('%s is served by indexes and reads few rows', async (_name, run) => {
  const explained = await explainEach(connection, run);
  expect(explained).toHaveLength(READERS.length);
  for (const { plan, sql } of explained) {
    expect({ sql, scanned: tablesScanned(plan) }).toEqual({ sql, scanned: [] });
    expect({ sql, few: rowsRead(plan) <= MAX_ROWS_READ, read: rowsRead(plan) }).toMatchObject({ few: true });
  }
});

const OF_SUMMARIES: Record<string, (db: Db) => Promise<unknown>> = {
  selectSummaries: (db) => asEach((reader) => selectSummaries(db, reader, { limit: 50 })),
  selectSummariesOfDomain: (db) =>
    asEach((reader) => selectSummaries(db, reader, { domain: 'API', limit: 50 })),
  selectSummariesOf: (db) => asEach(() => selectSummariesOf(db, organizationId, repositoryId)),
  selectProvided: (db) =>
    asEach(() => selectProvided(db, organizationId, { repositoryId, kind: 'package', limit: 200 })),
};

it.each(Object.entries(OF_SUMMARIES))('%s is served by indexes and reads few rows', async (_name, run) => {
  for (const { plan, sql } of await explainEach(connection, run)) {
    expect({ sql, scanned: tablesScanned(plan) }).toEqual({ sql, scanned: [] });
    expect({ sql, few: rowsRead(plan) <= MAX_ROWS_READ, read: rowsRead(plan) }).toMatchObject({ few: true });
  }
});

const OF_SEARCH: Record<keyof typeof search, (db: Db) => Promise<unknown>> = {
  selectWordHits: (db) =>
    asEach(async (reader) => {
      const words = ['r10', 'data', 'nothing'].map((word) => ({ word, isPrefix: word !== 'data' }));
      return (await search.selectWordHits(db, reader, words)).ofWords.flat(2);
    }),
  selectCodeWords: (db) =>
    asEach((reader) =>
      search.selectCodeWords(db, reader, [{ repositoryId, domain: 0, first: 'common', last: 'common' }]),
    ),
  selectFound: (db) => asEach((reader) => search.selectFound(db, reader, [{ repositoryId, domain: 'API' }])),
  selectFoundEvidence: (db) =>
    asEach((reader) => search.selectFoundEvidence(db, reader, [{ repositoryId, domain: 'API' }])),
};

it.each(Object.entries(OF_SEARCH))('%s reads words from the index alone', async (_name, run) => {
  const explained = await explainEach(connection, run);
  expect(explained).toHaveLength(READERS.length);
  for (const { plan, sql } of explained) {
    // All repositories of the organization are counted.
    const scanned = tablesScanned(plan).filter((table) => table !== 'repositories');
    expect({
      sql,
      scanned,
      kinds: scansOf(plan, 'architecture_words').filter((kind) => kind !== 'Index Only Scan'),
    }).toEqual({ sql, scanned: [], kinds: [] });
  }
});

it('covers every store function', () => {
  expect(Object.keys(QUERIES).sort()).toEqual(Object.keys(uses).sort());
  expect(Object.keys(OF_SEARCH).sort()).toEqual(Object.keys(search).sort());
});
