/** Rows of advisories. They are public: no organization owns them. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import type { Advisory } from './read-advisory.ts';

/** Of one package; none has nearly as many. The limit also keeps the database from reading the whole table. */
const MAX_ADVISORIES = 1000;

/** Two imports at a time would mix. */
export async function lockImports(db: Db): Promise<void> {
  await sql`LOCK TABLE advisory_imports IN SHARE ROW EXCLUSIVE MODE`.execute(db);
}

export async function createIncoming(db: Db): Promise<void> {
  await sql`CREATE TEMPORARY TABLE incoming_advisories (LIKE advisories INCLUDING INDEXES) ON COMMIT DROP`.execute(
    db,
  );
}

/** The first one counts if a mirror has several of the same. */
export async function insertIncoming(db: Db, advisories: Advisory[]): Promise<void> {
  await sql`INSERT INTO incoming_advisories (ecosystem, package, id, summary, severity, aliases, ranges, versions)
    SELECT ecosystem, package, id, summary, severity, aliases, ranges, versions
    FROM jsonb_to_recordset(${JSON.stringify(advisories)}::jsonb) AS a (ecosystem text, package text, id text, summary text,
      severity text, aliases text[], ranges jsonb, versions text[])
    ON CONFLICT DO NOTHING`.execute(db);
}

/** The incoming ones take the place of all others. */
export async function replaceAdvisories(
  db: Db,
  at: Date,
): Promise<{ total: number; changed: number; removed: number }> {
  await sql`ANALYZE incoming_advisories`.execute(db);
  const { rows: counts } = await sql<{ changed: number; removed: number }>`WITH
    gone AS (DELETE FROM advisories a WHERE NOT EXISTS (SELECT FROM incoming_advisories i
      WHERE (i.ecosystem, i.package, i.id) = (a.ecosystem, a.package, a.id)) RETURNING id),
    written AS (INSERT INTO advisories AS a SELECT * FROM incoming_advisories
      ON CONFLICT (ecosystem, package, id) DO UPDATE SET summary = excluded.summary, severity = excluded.severity,
        aliases = excluded.aliases, ranges = excluded.ranges, versions = excluded.versions
      WHERE (a.*) IS DISTINCT FROM (excluded.*) RETURNING id),
    removed AS (SELECT id FROM gone EXCEPT SELECT id FROM incoming_advisories),
    changed AS (SELECT id FROM written UNION (SELECT id FROM gone EXCEPT SELECT id FROM removed))
    SELECT (SELECT count(*) FROM changed)::int AS changed, (SELECT count(*) FROM removed)::int AS removed`.execute(
    db,
  );
  const { rows } = await sql<{ advisories: number }>`INSERT INTO advisory_imports (imported_at, advisories)
    SELECT ${at}, count(DISTINCT id) FROM incoming_advisories
    ON CONFLICT (is_last) DO UPDATE SET imported_at = excluded.imported_at, advisories = excluded.advisories
    RETURNING advisories`.execute(db);
  return { total: rows[0]!.advisories, ...counts[0]! };
}

export async function selectLastImport(db: Db): Promise<{ importedAt: Date } | undefined> {
  const row = await db.selectFrom('advisory_imports').select('imported_at').executeTakeFirst();
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
