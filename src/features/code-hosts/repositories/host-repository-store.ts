/** Queries for the repositories of a code host that were added. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { followRename, setVisibility } from '../../repositories/index.ts';

/** Repositories of the host that were added, by the host's own IDs. */
export function selectAdded(db: Db, codeHostId: string, hostRepositoryIds: string[]) {
  return db
    .selectFrom('code_host_repositories')
    .select(['repository_id', 'host_repository_id', 'full_name', 'is_private'])
    .where('code_host_id', '=', codeHostId)
    .where(sql<boolean>`host_repository_id = ANY(${hostRepositoryIds}::text[])`)
    .execute();
}

export type AddedRow = Awaited<ReturnType<typeof selectAdded>>[number];

/** A repository with this name that could be the same one, locked. */
export function lockNamed(db: Db, organizationId: string, name: string) {
  return db
    .selectFrom('repositories')
    .select(['id', 'url', 'code_host_id'])
    .where('organization_id', '=', organizationId)
    .where('folded_name', '=', name.toLowerCase())
    .forUpdate()
    .executeTakeFirst();
}

/** It was renamed or moved on the host, or became public or private. */
export async function updateAdded(
  db: Db,
  repositoryId: string,
  {
    cloneUrl,
    from,
    fullName,
    isPrivate,
  }: { cloneUrl: string; from: string; fullName: string; isPrivate: boolean },
): Promise<void> {
  await db
    .updateTable('code_host_repositories')
    .set({ full_name: fullName, is_private: isPrivate, access_read_at: null })
    .where('repository_id', '=', repositoryId)
    .execute();
  if (fullName !== from) await followRename(db, repositoryId, { from, to: fullName, url: cloneUrl });
}

/** From now on, who sees it follows the host. Until the host has said who can read it, only admins see a private one. */
export async function followHost(
  db: Db,
  organizationId: string,
  repositoryId: string,
): Promise<{ name: string; isPrivate: boolean } | undefined> {
  const row = await db
    .selectFrom('code_host_repositories as h')
    .innerJoin('repositories as r', 'r.id', 'h.repository_id')
    .select(['r.name', 'h.is_private'])
    .where('h.organization_id', '=', organizationId)
    .where('h.repository_id', '=', repositoryId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  const visibility = row.is_private ? 'members' : 'organization';
  await setVisibility(db, { id: repositoryId, organizationId }, { from: 'host', visibility });
  return { name: row.name, isPrivate: row.is_private };
}

export function selectConnected(
  db: Db,
  organizationId: string,
  codeHostId: string,
  page: { search?: string | undefined; afterName?: string | undefined; limit: number },
) {
  return db
    .selectFrom('code_host_repositories as h')
    .innerJoin('repositories as r', 'r.id', 'h.repository_id')
    .select([
      'h.repository_id',
      'r.name',
      'r.folded_name',
      'r.visibility',
      'r.visibility_from',
      'h.full_name',
      'h.is_private',
      'h.access_read_at',
      'h.access_problem',
      'h.import_step',
      'h.imported_count',
      'h.problem',
      'h.webhook_problem',
      sql<number>`(SELECT count(*)::int FROM repository_members m WHERE m.repository_id = r.id)`.as(
        'member_count',
      ),
    ])
    .where('h.organization_id', '=', organizationId)
    .where('h.code_host_id', '=', codeHostId)
    .$if(page.search !== undefined, (query) =>
      query.where(sql<boolean>`strpos(h.folded_full_name, ${page.search!.toLowerCase()}) > 0`),
    )
    .$if(page.afterName !== undefined, (query) => query.where('r.folded_name', '>', page.afterName!))
    .orderBy('r.folded_name')
    .limit(page.limit)
    .execute();
}

export type ConnectedRow = Awaited<ReturnType<typeof selectConnected>>[number];

export function selectConnectedOne(db: Db, organizationId: string, codeHostId: string, repositoryId: string) {
  return db
    .selectFrom('code_host_repositories')
    .select('repository_id')
    .where('organization_id', '=', organizationId)
    .where('code_host_id', '=', codeHostId)
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst();
}

/** The host of a repository and its name there, for this node's own work. */
export function selectHostOfRepository(db: Db, repositoryId: string) {
  return db
    .selectFrom('code_host_repositories as r')
    .innerJoin('code_hosts as h', 'h.id', 'r.code_host_id')
    .select(['h.id', 'h.kind', 'h.url', 'h.credential', 'r.full_name', 'r.import_step'])
    .where('r.repository_id', '=', repositoryId)
    .executeTakeFirst();
}
