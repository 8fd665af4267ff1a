/** Rows of advisories. They are public: no organization owns them. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import type { Advisory } from './read-advisory.ts';

/** Per package; none has nearly as many. The limit also keeps the database from reading the whole table. */
const MAX_ADVISORIES = 1000;
const IMPORT_LOCK = 'countersign advisories import';

/** Until the transaction ends; false if another import has begun. */
export async function tryLockImports(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    locked: boolean;
  }>`SELECT pg_try_advisory_xact_lock(hashtextextended(${IMPORT_LOCK}, 0)) AS locked`.execute(db);
  return rows[0]!.locked;
}

export async function createIncoming(db: Db): Promise<void> {
  await sql`CREATE TEMPORARY TABLE incoming_advisories (ecosystem text, package text COLLATE "C", id text COLLATE "C",
    PRIMARY KEY (ecosystem, package, id)) ON COMMIT DROP`.execute(db);
}

/** Returns the IDs of those that are new or differ. The first one counts if a mirror has several of the same. */
export async function writeAdvisories(db: Db, advisories: Advisory[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`WITH
    given AS (SELECT DISTINCT ON (ecosystem, package, id) *
      FROM jsonb_to_recordset(${JSON.stringify(advisories)}::jsonb) AS a (ecosystem text, package text, id text, summary text,
        severity text, aliases text[], ranges jsonb, versions text[]) ORDER BY ecosystem, package, id),
    first AS (INSERT INTO incoming_advisories SELECT ecosystem, package, id FROM given
      ON CONFLICT DO NOTHING RETURNING ecosystem, package, id)
    INSERT INTO advisories AS a (ecosystem, package, id, summary, severity, aliases, ranges, versions)
    SELECT g.ecosystem, g.package, g.id, g.summary, g.severity, g.aliases, g.ranges, g.versions
    FROM given g JOIN first f ON (f.ecosystem, f.package, f.id) = (g.ecosystem, g.package, g.id)
    ON CONFLICT (ecosystem, package, id) DO UPDATE SET summary = excluded.summary, severity = excluded.severity,
      aliases = excluded.aliases, ranges = excluded.ranges, versions = excluded.versions
    WHERE (a.*) IS DISTINCT FROM (excluded.*) RETURNING id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Deletes what no file has anymore, and records the import. */
export async function finishImport(
  db: Db,
  at: Date,
): Promise<{ total: number; removed: string[]; changed: string[] }> {
  await sql`ANALYZE incoming_advisories`.execute(db);
  const { rows: gone } = await sql<{ id: string; is_left: boolean }>`WITH
    gone AS (DELETE FROM advisories a WHERE NOT EXISTS (SELECT FROM incoming_advisories i
      WHERE (i.ecosystem, i.package, i.id) = (a.ecosystem, a.package, a.id)) RETURNING id)
    SELECT DISTINCT id, id IN (SELECT id FROM incoming_advisories) AS is_left FROM gone`.execute(db);
  const { rows } = await sql<{ advisories: number }>`INSERT INTO advisory_imports (imported_at, advisories)
    SELECT ${at}, count(DISTINCT id) FROM incoming_advisories
    ON CONFLICT (imported_at) DO UPDATE SET advisories = excluded.advisories
    RETURNING advisories`.execute(db);
  await db.deleteFrom('advisory_imports').where('imported_at', '<', at).execute();
  const idsOf = (isLeft: boolean) => gone.flatMap(({ id, is_left }) => (is_left === isLeft ? [id] : []));
  return { total: rows[0]!.advisories, removed: idsOf(false), changed: idsOf(true) };
}

export async function selectLastImport(db: Db): Promise<{ importedAt: Date } | undefined> {
  const row = await db
    .selectFrom('advisory_imports')
    .select('imported_at')
    .orderBy('imported_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { importedAt: row.imported_at };
}

export async function selectAdvisories(
  db: Db,
  packages: Pick<Advisory, 'ecosystem' | 'package'>[],
): Promise<Advisory[]> {
  const { rows } = await sql<Advisory>`SELECT a.*
    FROM (SELECT DISTINCT * FROM unnest(${packages.map((each) => each.ecosystem)}::text[],
      ${packages.map((each) => each.package)}::text[]) AS u (ecosystem, package)) p
    CROSS JOIN LATERAL (SELECT * FROM advisories a WHERE a.ecosystem = p.ecosystem AND a.package = p.package
      ORDER BY a.id LIMIT ${MAX_ADVISORIES}) a
    ORDER BY a.ecosystem, a.package, a.id`.execute(db);
  return rows;
}
