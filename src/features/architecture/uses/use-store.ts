/** Queries for who provides and who uses what. Facts with the same kind and a matching name are about the same thing. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { type Reader, visibleRepositories, visibleToReadersOfOwn } from '../../repositories/index.ts';
import type { UsedKind } from '../contract.ts';
import type { FactName } from './matching-names.ts';

/** A place in a repository, and how many that repository has. */
export interface PlaceRow {
  repoId: string;
  repoName: string;
  commit: string | null;
  kind: UsedKind;
  name: string;
  path: string;
  line: number;
  detail: string | null;
  places: number;
}

export interface PlaceLimits {
  repositories: number;
  places: number;
}

export type UseRow = PlaceRow & { section: 'providers' | 'outside' | 'inside' };

const visibleTo = (db: Db, reader: Reader) =>
  visibleRepositories(db, reader).select(['r.id', 'r.name', 'r.folded_name', 'r.described_head']);

/**
 * Everything with one of these names, by repository. A use is inside when its own repository provides the same thing:
 * names of one kind are either equal, or routes with the same path apart from a prefix, of which one may serve every method.
 */
export async function findUses(
  db: Db,
  reader: Reader,
  names: readonly FactName[],
  limits: PlaceLimits,
): Promise<UseRow[]> {
  const { rows } = await sql<UseRow>`
    WITH matched AS (
      SELECT v.id, v.name AS repository, v.folded_name, v.described_head, f.kind, f.role = 'provides' AS provides,
        f.name, f.kind = 'route' AND f.name LIKE 'ANY %' AS is_any,
        CASE WHEN f.kind = 'route' THEN split_part(f.name, ' ', 1) ELSE f.name END AS thing, f.path, f.line, f.detail
      FROM unnest(${names.map(({ kind }) => kind)}::text[], ${names.map(({ name }) => name)}::text[]) AS w (kind, name)
      JOIN architecture_facts f ON f.organization_id = ${reader.organizationId} AND f.kind = w.kind AND f.name = w.name
      JOIN (${visibleTo(db, reader)}) AS v ON v.id = f.repository_id
    ), divided AS (
      SELECT *, CASE WHEN provides THEN 'providers'
        WHEN bool_or(provides) OVER (PARTITION BY id, kind, thing)
          OR bool_or(provides AND is_any) OVER (PARTITION BY id, kind)
          OR is_any AND bool_or(provides) OVER (PARTITION BY id, kind) THEN 'inside'
        ELSE 'outside' END AS section
      FROM matched
    ), numbered AS (
      SELECT *, count(*) OVER (PARTITION BY section, id)::int AS places,
        row_number() OVER (PARTITION BY section, id ORDER BY path COLLATE "C", line, kind, name) AS place_number,
        dense_rank() OVER (PARTITION BY section ORDER BY folded_name) AS repository_number
      FROM divided
    )
    SELECT section, id AS "repoId", repository AS "repoName", described_head AS commit, kind, name, path, line, detail, places
    FROM numbered WHERE place_number <= ${limits.places} AND repository_number <= ${limits.repositories}
    ORDER BY section, repository_number, place_number`.execute(db);
  return rows;
}

/** Packages of one repository that are looked at; more are in a few workspaces only. */
const MAX_PROVIDED_PACKAGES = 200;

/**
 * Which of these repositories use a package or contract of another one, or one of its symbols. Whether it has any says
 * whether that could be seen at all.
 */
export async function selectDependents(
  db: Db,
  organizationId: string,
  of: { repositoryId: string; symbols: readonly string[]; candidates: readonly string[] },
): Promise<{ ids: string[]; hasPackages: boolean }> {
  const { rows } = await sql<{ id: string | null }>`
    WITH provided AS MATERIALIZED (
      (SELECT DISTINCT kind, name FROM architecture_facts WHERE repository_id = ${of.repositoryId}
        AND kind IN ('package', 'contract') AND organization_id = ${organizationId} AND role = 'provides'
        LIMIT ${MAX_PROVIDED_PACKAGES})
      UNION ALL SELECT 'symbol', name FROM unnest(${of.symbols}::text[]) AS s (name)
    )
    SELECT DISTINCT u.repository_id AS id FROM provided p
      JOIN architecture_facts u ON u.organization_id = ${organizationId} AND u.kind = p.kind AND u.name = p.name AND u.role = 'uses'
      WHERE u.repository_id = ANY(${of.candidates}::uuid[])
    UNION ALL SELECT NULL WHERE EXISTS (SELECT FROM provided)`.execute(db);
  const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  return { ids, hasPackages: ids.length < rows.length };
}

export interface OwnFact extends FactName {
  path: string;
  line: number;
  detail: string | null;
}

/** The names that a repository provides or uses, each with its first place; at most `limit` of each kind. */
export async function selectOwnFacts(
  db: Db,
  organizationId: string,
  wanted: {
    repositoryId: string;
    role: 'provides' | 'uses';
    kinds: readonly UsedKind[];
    limit: number;
    /** Only those in these files. */
    files?: readonly string[];
  },
): Promise<OwnFact[]> {
  const { rows } = await sql<OwnFact>`
    SELECT f.* FROM unnest(${wanted.kinds}::text[]) AS k (kind) CROSS JOIN LATERAL (
      SELECT DISTINCT ON (name) kind, name, path, line, detail FROM architecture_facts
      WHERE repository_id = ${wanted.repositoryId} AND kind = k.kind AND organization_id = ${organizationId}
        AND role = ${wanted.role} ${wanted.files ? sql`AND path = ANY(${wanted.files}::text[])` : sql``}
      ORDER BY name, path COLLATE "C", line LIMIT ${wanted.limit}
    ) AS f`.execute(db);
  return rows;
}

/** A thing of the repository: its number, and a name that matches it. A route has more than one. */
export interface WantedName extends FactName {
  thing: number;
}

export interface NeighbourQuery {
  repositoryId: string;
  names: readonly WantedName[];
  /** A name that more repositories provide is a common one (`GET /health`, `users`) and no evidence. */
  maxProviders: number;
  limits: PlaceLimits;
}

function specificThings(db: Db, reader: Reader, { maxProviders, names }: NeighbourQuery) {
  return sql`
    wanted AS MATERIALIZED (
      SELECT * FROM unnest(${names.map(({ thing }) => thing)}::int[], ${names.map(({ kind }) => kind)}::text[],
        ${names.map(({ name }) => name)}::text[]) AS w (thing, kind, name)
    ), provider AS MATERIALIZED (
      SELECT DISTINCT w.thing, v.id, v.name, v.folded_name, v.described_head FROM wanted w
      JOIN architecture_facts f ON f.organization_id = ${reader.organizationId} AND f.kind = w.kind AND f.name = w.name
        AND f.role = 'provides'
      JOIN (${visibleTo(db, reader)}) AS v ON v.id = f.repository_id
    ), specific AS (SELECT thing FROM provider GROUP BY thing HAVING count(*) <= ${maxProviders})`;
}

/** The other repositories that provide what this one uses and doesn't provide itself; those with most of it first. */
export async function selectDependencies(
  db: Db,
  reader: Reader,
  query: NeighbourQuery,
): Promise<{ repoId: string; repoName: string; thing: number; places: number }[]> {
  const { rows } = await sql<{ repoId: string; repoName: string; thing: number; places: number }>`
    WITH ${specificThings(db, reader, query)}, counted AS (
      SELECT p.*, count(*) OVER (PARTITION BY p.id)::int AS places,
        row_number() OVER (PARTITION BY p.id ORDER BY p.thing) AS place_number
      FROM provider p JOIN specific USING (thing)
      WHERE p.id <> ${query.repositoryId} AND NOT EXISTS (
        SELECT FROM provider own WHERE own.thing = p.thing AND own.id = ${query.repositoryId})
    ), numbered AS (
      SELECT *, dense_rank() OVER (ORDER BY places DESC, folded_name) AS repository_number FROM counted
    )
    SELECT id AS "repoId", name AS "repoName", thing, places FROM numbered
    WHERE place_number <= ${query.limits.places} AND repository_number <= ${query.limits.repositories}
    ORDER BY repository_number, place_number`.execute(db);
  return rows;
}

/** The other repositories that use what this one provides and don't provide it themselves; those with most uses first. */
export async function selectConsumers(db: Db, reader: Reader, query: NeighbourQuery): Promise<PlaceRow[]> {
  const { rows } = await sql<PlaceRow>`
    WITH ${specificThings(db, reader, query)}, used AS (
      SELECT DISTINCT ON (f.repository_id, f.id) w.thing, f.repository_id, f.kind, f.name, f.path, f.line, f.detail
      FROM specific JOIN wanted w USING (thing)
      JOIN architecture_facts f ON f.organization_id = ${reader.organizationId} AND f.kind = w.kind AND f.name = w.name
        AND f.role = 'uses' AND f.repository_id <> ${query.repositoryId}
      WHERE NOT EXISTS (SELECT FROM provider p WHERE p.thing = w.thing AND p.id = f.repository_id)
      ORDER BY f.repository_id, f.id, w.thing
    ), counted AS (
      SELECT v.id, v.name AS repository, v.folded_name, v.described_head, u.kind, u.name, u.path, u.line, u.detail,
        count(*) OVER (PARTITION BY v.id)::int AS places,
        row_number() OVER (PARTITION BY v.id ORDER BY u.thing, u.path COLLATE "C", u.line) AS place_number
      FROM used u JOIN (${visibleTo(db, reader)}) AS v ON v.id = u.repository_id
    ), numbered AS (
      SELECT *, dense_rank() OVER (ORDER BY places DESC, folded_name) AS repository_number FROM counted
    )
    SELECT id AS "repoId", repository AS "repoName", described_head AS commit, kind, name, path, line, detail, places
    FROM numbered WHERE place_number <= ${query.limits.places} AND repository_number <= ${query.limits.repositories}
    ORDER BY repository_number, place_number`.execute(db);
  return rows;
}

/** A name that a repository no longer provides: its number, a name that its users have for it, and the package that had it. */
export interface LostName extends WantedName {
  package: string | null;
  /** Whether a user must declare the package. */
  isDeclared: boolean;
}

export interface UseElsewhere extends FactName {
  thing: number;
  repoId: string;
  repoName: string;
  headCommit: string;
  path: string;
}

interface OwnRepository {
  organizationId: string;
  repositoryId: string;
}

/** The names that no other repository provides, nor their package. */
function lostEverywhere(own: OwnRepository, names: readonly LostName[]) {
  return sql`
    wanted AS MATERIALIZED (
      SELECT * FROM unnest(${names.map(({ thing }) => thing)}::int[], ${names.map(({ kind }) => kind)}::text[],
        ${names.map(({ name }) => name)}::text[], ${names.map((each) => each.package)}::text[],
        ${names.map(({ isDeclared }) => isDeclared)}::boolean[]) AS w (thing, kind, name, package, is_declared)
      WHERE NOT EXISTS (SELECT FROM architecture_facts p WHERE p.organization_id = ${own.organizationId} AND p.role = 'provides'
          AND p.repository_id <> ${own.repositoryId} AND p.kind = w.kind AND p.name = w.name)
        AND NOT EXISTS (SELECT FROM architecture_facts p WHERE p.organization_id = ${own.organizationId} AND p.role = 'provides'
          AND p.repository_id <> ${own.repositoryId} AND p.kind = 'package' AND p.name = w.package)
    )`;
}

/**
 * Who uses what a repository no longer provides: only repositories that all of its readers can see, and only names and packages
 * that no other repository provides.
 */
export async function selectUsesElsewhere(
  db: Db,
  own: OwnRepository,
  names: readonly LostName[],
  limits: PlaceLimits,
): Promise<UseElsewhere[]> {
  const { rows } = await sql<UseElsewhere>`
    WITH ${lostEverywhere(own, names)}, used AS (
      SELECT w.thing, f.repository_id, f.kind, f.name, f.path, f.line FROM wanted w
      JOIN architecture_facts f ON f.organization_id = ${own.organizationId} AND f.kind = w.kind AND f.name = w.name
        AND f.role = 'uses' AND f.repository_id <> ${own.repositoryId}
      WHERE NOT w.is_declared OR EXISTS (SELECT FROM architecture_facts d WHERE d.repository_id = f.repository_id
        AND d.kind = 'package' AND d.name = w.package AND d.role = 'uses')
    ), numbered AS (
      SELECT u.*, r.name AS repository, r.head_commit, dense_rank() OVER (PARTITION BY thing ORDER BY r.folded_name) AS repository_number,
        row_number() OVER (PARTITION BY thing, r.id ORDER BY path COLLATE "C", line) AS place_number
      FROM used u JOIN repositories r ON r.id = u.repository_id AND r.head_commit IS NOT NULL
      JOIN repositories own ON own.id = ${own.repositoryId} AND own.organization_id = ${own.organizationId}
      WHERE ${visibleToReadersOfOwn()}
    )
    SELECT thing, repository_id AS "repoId", repository AS "repoName", head_commit AS "headCommit", kind, name, path FROM numbered
    WHERE repository_number <= ${limits.repositories} AND place_number <= ${limits.places}
    ORDER BY thing, repository_number, place_number`.execute(db);
  return rows;
}

/** The names that no other repository provides, as far as repositories are described. */
export async function selectLostEverywhere(
  db: Db,
  own: OwnRepository,
  names: readonly LostName[],
): Promise<LostName[]> {
  const { rows } = await sql<LostName>`
    WITH ${lostEverywhere(own, names)}
    SELECT thing, kind, name, package, is_declared AS "isDeclared" FROM wanted`.execute(db);
  return rows;
}

/** The repositories that all readers of a repository can see and that are not described at their head yet; newest first. */
export async function selectUndescribed(
  db: Db,
  own: OwnRepository,
  limit: number,
): Promise<{ id: string; name: string; headCommit: string }[]> {
  const { rows } = await sql<{ id: string; name: string; headCommit: string }>`
    SELECT r.id, r.name, r.head_commit AS "headCommit" FROM repositories r
    JOIN repositories own ON own.id = ${own.repositoryId} AND own.organization_id = ${own.organizationId}
    WHERE r.organization_id = ${own.organizationId} AND r.id <> ${own.repositoryId} AND r.head_commit IS NOT NULL
      AND r.described_head IS DISTINCT FROM r.head_commit AND ${visibleToReadersOfOwn()}
    ORDER BY r.id DESC LIMIT ${limit}`.execute(db);
  return rows;
}
