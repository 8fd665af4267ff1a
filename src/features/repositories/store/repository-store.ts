/** Queries for managing repositories. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { type Reader, visibleRepositories } from './visible-repositories-store.ts';

type CredentialKind = 'none' | 'password' | 'ssh_key';
type Visibility = 'organization' | 'members';

/** Locks the organization, so that repositories are counted and added one at a time. */
export async function lockRepositories(db: Db, organizationId: string): Promise<void> {
  await db.selectFrom('organizations').select('id').where('id', '=', organizationId).forUpdate().execute();
}

export async function countRepositories(db: Db, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom('repositories')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return row.count;
}

export interface NewRepository {
  id: string;
  organizationId: string;
  name: string;
  url: string;
  addedByOperator: boolean;
  credentialKind: CredentialKind;
  credential: Buffer | null;
  visibility: Visibility;
  at: Date;
}

/** Whether it was added: false when the organization already has a repository with this name. It is due immediately. */
export async function insertRepository(db: Db, repository: NewRepository): Promise<boolean> {
  const row = await db
    .insertInto('repositories')
    .values({
      id: repository.id,
      organization_id: repository.organizationId,
      name: repository.name,
      url: repository.url,
      added_by_operator: repository.addedByOperator,
      credential_kind: repository.credentialKind,
      credential: repository.credential,
      visibility: repository.visibility,
      created_at: repository.at,
      refresh_asked_at: sql<Date>`clock_timestamp()`,
      next_refresh_at: sql<Date>`clock_timestamp()`,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'folded_name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Never includes credentials or tokens. */
function shown(db: Db, reader: Reader) {
  return visibleRepositories(db, reader).select([
    'r.id',
    'r.name',
    'r.folded_name',
    'r.url',
    'r.state',
    'r.activity',
    'r.problem',
    'r.problem_at',
    'r.next_refresh_at',
    'r.refresh_asked_at',
    'r.refresh_started_at',
    'r.default_branch',
    'r.head_commit',
    'r.branch_count',
    'r.tag_count',
    'r.visibility',
    'r.credential_kind',
    'r.refreshed_at',
    'r.created_at',
    'r.updated_at',
    sql<boolean>`coalesce(r.busy_until > clock_timestamp(), false)`.as('busy'),
  ]);
}

export function selectRepositories(
  db: Db,
  reader: Reader,
  page: { search?: string; afterName?: string; limit: number },
) {
  return shown(db, reader)
    .$if(page.search !== undefined, (query) =>
      query.where(sql<boolean>`strpos(r.folded_name, ${page.search!.toLowerCase()}) > 0`),
    )
    .$if(page.afterName !== undefined, (query) => query.where('r.folded_name', '>', page.afterName!))
    .orderBy('r.folded_name')
    .limit(page.limit)
    .execute();
}

export type RepositoryRow = Awaited<ReturnType<typeof selectRepositories>>[number];

export function selectRepository(
  db: Db,
  reader: Reader,
  repositoryId: string,
): Promise<RepositoryRow | undefined> {
  return shown(db, reader).where('r.id', '=', repositoryId).executeTakeFirst();
}

/** Those whose address contains a text in lower case; more are too many for a name to be meant. */
export function selectRepositoriesAt(db: Db, reader: Reader, text: string) {
  return visibleRepositories(db, reader)
    .select(['r.id', 'r.name', 'r.url'])
    .where(sql<boolean>`strpos(lower(r.url), ${text}) > 0`)
    .orderBy('r.folded_name')
    .limit(200)
    .execute();
}

export function selectPushFacts(db: Db, repositoryId: string) {
  return db
    .selectFrom('repositories')
    .select(['url', 'credential_kind', 'push_refused_at'])
    .where('id', '=', repositoryId)
    .executeTakeFirst();
}

/** Whether the origin lets the present credential push. */
export async function notePush(db: Db, repositoryId: string, isRefused: boolean): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ push_refused_at: isRefused ? sql<Date>`clock_timestamp()` : null })
    .where('id', '=', repositoryId)
    .where('push_refused_at', isRefused ? 'is' : 'is not', null)
    .execute();
}

/** The members with access to these repositories, by name, without former members. */
export function selectMembersOf(db: Db, repositoryIds: string[]) {
  return db
    .selectFrom('repository_members as m')
    .innerJoin('memberships as s', (join) =>
      join
        .onRef('s.organization_id', '=', 'm.organization_id')
        .onRef('s.user_id', '=', 'm.user_id')
        .on('s.deactivated_at', 'is', null),
    )
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.repository_id', 'u.id', 'u.name'])
    .where(sql<boolean>`m.repository_id = ANY(${repositoryIds}::uuid[])`)
    .orderBy('u.name')
    .orderBy('u.id')
    .execute();
}

export async function replaceMembers(
  db: Db,
  repository: { id: string; organizationId: string },
  userIds: string[],
): Promise<void> {
  await db.deleteFrom('repository_members').where('repository_id', '=', repository.id).execute();
  await sql`INSERT INTO repository_members (repository_id, user_id, organization_id)
    SELECT ${repository.id}, user_id, ${repository.organizationId}
    FROM unnest(${userIds}::uuid[]) AS user_id`.execute(db);
}

/** Locks the repository until the transaction ends. */
export function lockRepository(db: Db, organizationId: string, repositoryId: string) {
  return db
    .selectFrom('repositories')
    .select(['id', 'name', 'url', 'visibility', 'credential_kind', 'push_token'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', repositoryId)
    .forUpdate()
    .executeTakeFirst();
}

export interface RepositoryChange {
  name?: string;
  url?: string;
  added_by_operator?: boolean;
  credential_kind?: CredentialKind;
  credential?: Buffer | null;
  push_token?: Buffer;
  visibility?: Visibility;
  visibility_from?: 'admin';
  problem?: null;
  problem_at?: null;
  push_refused_at?: null;
  failures?: number;
  updated_at: Date;
}

export async function updateRepository(
  db: Db,
  organizationId: string,
  repositoryId: string,
  values: RepositoryChange,
): Promise<void> {
  await db
    .updateTable('repositories')
    .set(values)
    .where('organization_id', '=', organizationId)
    .where('id', '=', repositoryId)
    .execute();
}

/** Whether another repository of the organization has this name. */
export async function isNameTaken(
  db: Db,
  organizationId: string,
  name: string,
  exceptId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('repositories')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('folded_name', '=', name.toLowerCase())
    .where('id', '<>', exceptId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes it due now; repeated requests lead to one refresh. */
export async function askForRefresh(db: Db, repositoryId: string): Promise<void> {
  await sql`UPDATE repositories SET refresh_asked_at = clock_timestamp(), next_refresh_at = clock_timestamp()
    WHERE id = ${repositoryId} AND url IS NOT NULL`.execute(db);
}

/** The encrypted token of a push URL, without an access check. */
export async function selectPushToken(db: Db, repositoryId: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('repositories')
    .select('push_token')
    .where('id', '=', repositoryId)
    .executeTakeFirst();
  return row?.push_token ?? null;
}

export async function deleteRepository(db: Db, organizationId: string, repositoryId: string): Promise<void> {
  await db
    .deleteFrom('repositories')
    .where('organization_id', '=', organizationId)
    .where('id', '=', repositoryId)
    .execute();
}
