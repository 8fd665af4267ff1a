/** Queries for branches and tags, which PostgreSQL stores for all nodes. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { REF_KINDS } from '../contract.ts';

export type RefKind = (typeof REF_KINDS)[number];

export interface RefRow {
  kind: RefKind;
  name: string;
  commit: string;
}

/** The commit of a branch or tag, branches first; also accepts `refs/heads/x` and `refs/tags/x`. */
export async function resolveRef(db: Db, repositoryId: string, name: string): Promise<string | undefined> {
  const [, folder, rest] = /^refs\/(heads|tags)\/(.+)$/s.exec(name) ?? [];
  const wanted = rest === undefined ? [name] : [rest, name];
  const rows = await db
    .selectFrom('repository_refs')
    .select(['kind', 'name', 'commit'])
    .where('repository_id', '=', repositoryId)
    .where('kind', 'in', ['branch', 'tag'])
    .where('name', 'in', wanted)
    .execute();
  const find = (kind: string, known: string) => rows.find((row) => row.kind === kind && row.name === known);
  const full = folder && find(folder === 'heads' ? 'branch' : 'tag', rest!);
  return (full || (find('branch', name) ?? find('tag', name)))?.commit;
}

export interface RefFilter {
  search?: string;
  kind?: RefKind;
  /** Listed first, so excluded here. */
  without?: string;
  after?: { kind: string; name: string };
  limit: number;
}

/** Branches by name, then tags by name. */
export async function selectRefs(db: Db, repositoryId: string, filter: RefFilter): Promise<RefRow[]> {
  const rows = await db
    .selectFrom('repository_refs')
    .select(['kind', 'name', 'commit'])
    .where('repository_id', '=', repositoryId)
    .$if(filter.kind !== undefined, (query) => query.where('kind', '=', filter.kind!))
    .$if(filter.search !== undefined, (query) =>
      query.where(sql<boolean>`strpos(lower(name), ${filter.search!.toLowerCase()}) > 0`),
    )
    .$if(filter.without !== undefined, (query) =>
      query.where(sql<boolean>`(kind, name) <> ('branch', ${filter.without!})`),
    )
    .$if(filter.after !== undefined, (query) =>
      query.where(sql<boolean>`(kind, name) > (${filter.after!.kind}, ${filter.after!.name})`),
    )
    .orderBy('kind')
    .orderBy('name')
    .limit(filter.limit)
    .execute();
  return rows as RefRow[];
}

/** Names that contain the last part of a name, then those of a similar length: few enough to compare. */
export async function selectNearRefs(
  db: Db,
  repositoryId: string,
  { kinds, limit, name }: { name: string; kinds: readonly RefKind[]; limit: number },
): Promise<string[]> {
  const leaf = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  const rows = await db
    .selectFrom('repository_refs')
    .select('name')
    .where('repository_id', '=', repositoryId)
    .where('kind', 'in', kinds)
    .orderBy(sql`strpos(lower(name), ${leaf}) = 0`)
    .orderBy(sql`abs(length(split_part(name, '/', -1)) - ${leaf.length})`)
    .orderBy('name')
    .limit(limit)
    .execute();
  return rows.map((row) => row.name);
}

export function selectRef(db: Db, repositoryId: string, kind: RefKind, name: string) {
  return db
    .selectFrom('repository_refs')
    .select(['kind', 'name', 'commit'])
    .where('repository_id', '=', repositoryId)
    .where('kind', '=', kind)
    .where('name', '=', name)
    .executeTakeFirst() as Promise<RefRow | undefined>;
}

const BATCH = 10_000;

/** Replaces the refs of a repository, writing only the differences. */
export async function replaceRefs(
  db: Db,
  repository: { id: string; organizationId: string },
  refs: RefRow[],
): Promise<void> {
  const before = await db
    .selectFrom('repository_refs')
    .select(['kind', 'name', 'commit'])
    .where('repository_id', '=', repository.id)
    .execute();
  const keyOf = (ref: { kind: string; name: string }) => `${ref.kind} ${ref.name}`;
  const known = new Map(before.map((ref) => [keyOf(ref), ref.commit]));
  const changed = refs.filter((ref) => known.get(keyOf(ref)) !== ref.commit);
  const wanted = new Set(refs.map(keyOf));
  const gone = before.filter((ref) => !wanted.has(keyOf(ref)));
  for (const batch of batchesOf(gone)) {
    await sql`DELETE FROM repository_refs WHERE repository_id = ${repository.id} AND (kind, name) IN (
      SELECT * FROM unnest(${batch.map(({ kind }) => kind)}::text[], ${batch.map(({ name }) => name)}::text[]))`.execute(
      db,
    );
  }
  for (const batch of batchesOf(changed)) {
    await sql`INSERT INTO repository_refs (repository_id, organization_id, kind, name, commit)
      SELECT ${repository.id}, ${repository.organizationId}, * FROM unnest(${batch.map(({ kind }) => kind)}::text[],
        ${batch.map(({ name }) => name)}::text[], ${batch.map(({ commit }) => commit)}::text[])
      ON CONFLICT (repository_id, kind, name) DO UPDATE SET commit = excluded.commit`.execute(db);
  }
}

function* batchesOf<Row>(rows: Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += BATCH) yield rows.slice(start, start + BATCH);
}
