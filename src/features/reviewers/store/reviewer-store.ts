/** Queries on reviewers and their versions. */
import { sql } from 'kysely';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { Db } from '../../../platform/db/index.ts';
import { BUILT_IN_KEYS, BUILT_IN_REVIEWERS } from '../built-in-reviewers.ts';
import type { ReviewerContent } from '../contract.ts';

/** The built-in reviewers of a new organization. */
export async function insertBuiltInReviewers(db: Db, organizationId: string, at: Date): Promise<void> {
  await db
    .insertInto('reviewers')
    .values(
      BUILT_IN_KEYS.map((key) => ({
        id: uuidv7(),
        organization_id: organizationId,
        built_in: key,
        title: BUILT_IN_REVIEWERS[key].title,
        enabled: true,
        active_version: 1,
        newest_version: 1,
        created_at: at,
        updated_at: at,
      })),
    )
    .execute();
}

export interface NewReviewer {
  id: string;
  organizationId: string;
  title: string;
  enabled: boolean;
  /** Null for the operator. */
  userId: string | null;
  at: Date;
}

/** Without its first version. */
export async function insertReviewer(db: Db, reviewer: NewReviewer): Promise<void> {
  await db
    .insertInto('reviewers')
    .values({
      id: reviewer.id,
      organization_id: reviewer.organizationId,
      title: reviewer.title,
      enabled: reviewer.enabled,
      active_version: 1,
      newest_version: 1,
      created_by: reviewer.userId,
      created_at: reviewer.at,
      updated_at: reviewer.at,
    })
    .execute();
}

/** One at a time in an organization, so that titles stay unique and the number limited. */
export async function lockReviewers(db: Db, organizationId: string): Promise<void> {
  await db.selectFrom('organizations').select('id').where('id', '=', organizationId).forUpdate().execute();
}

export async function countCustomReviewers(db: Db, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom('reviewers')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .where('file_repository_id', 'is', null)
    .where('built_in', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** The reviewer that has this title, ignoring case. */
export function selectReviewerByTitle(db: Db, organizationId: string, title: string) {
  return db
    .selectFrom('reviewers')
    .select(['id', 'built_in', 'title', 'enabled', 'active_version'])
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .where('file_repository_id', 'is', null)
    .where(sql<boolean>`folded_title = lower(${title})`)
    .executeTakeFirst();
}

export function selectReviewer(db: Db, organizationId: string, id: string) {
  return db
    .selectFrom('reviewers as v')
    .leftJoin('reviewer_versions as a', (join) =>
      join.onRef('a.reviewer_id', '=', 'v.id').onRef('a.number', '=', 'v.active_version'),
    )
    .leftJoin('users as u', 'u.id', 'v.created_by')
    .select(['v.id', 'v.built_in', 'v.title', 'a.description', 'v.enabled', 'v.active_version'])
    .select(['v.created_by', 'v.created_at', 'v.updated_at', 'v.newest_version', 'v.switched_on'])
    .select(['a.kind', 'a.body', 'u.name as created_by_name'])
    .where('v.organization_id', '=', organizationId)
    .where('v.id', '=', id)
    .where('v.deleted_at', 'is', null)
    .where('v.file_repository_id', 'is', null)
    .executeTakeFirst();
}

export type ReviewerDetailRow = NonNullable<Awaited<ReturnType<typeof selectReviewer>>>;

export function lockReviewer(db: Db, organizationId: string, id: string) {
  return db
    .selectFrom('reviewers')
    .select(['id', 'built_in', 'title', 'enabled', 'active_version', 'newest_version', 'created_by'])
    .select('switched_on')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('file_repository_id', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export type LockedReviewer = NonNullable<Awaited<ReturnType<typeof lockReviewer>>>;

export async function updateReviewer(
  db: Db,
  organizationId: string,
  id: string,
  set: {
    updated_at: Date;
    title?: string;
    enabled?: boolean;
    switched_on?: string[];
    active_version?: number;
    newest_version?: number;
    deleted_at?: Date;
  },
): Promise<void> {
  await db
    .updateTable('reviewers')
    .set(set)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

export async function insertVersion(
  db: Db,
  version: ReviewerContent & {
    reviewerId: string;
    number: number;
    organizationId: string;
    userId: string | null;
    at: Date;
  },
): Promise<void> {
  await db
    .insertInto('reviewer_versions')
    .values({
      reviewer_id: version.reviewerId,
      number: version.number,
      organization_id: version.organizationId,
      title: version.title,
      description: version.description,
      kind: version.kind,
      body: version.body,
      created_by: version.userId,
      created_at: version.at,
    })
    .execute();
  if (version.scopes.length === 0) return;
  await db
    .insertInto('reviewer_scopes')
    .values(
      version.scopes.map(({ paths, repositoryId }, position) => ({
        reviewer_id: version.reviewerId,
        version: version.number,
        position,
        organization_id: version.organizationId,
        repository_id: repositoryId,
        paths,
      })),
    )
    .execute();
}

/** All scopes of a version, also in repositories that the caller can't see: for writing the next version. */
export function selectAllScopes(db: Db, reviewerId: string, version: number) {
  return db
    .selectFrom('reviewer_scopes')
    .select(['repository_id', 'paths'])
    .where('reviewer_id', '=', reviewerId)
    .where('version', '=', version)
    .orderBy('position')
    .execute();
}

/** Newest first. */
export function selectVersions(
  db: Db,
  organizationId: string,
  reviewerId: string,
  page: { before?: number; limit: number },
) {
  return versions(db, organizationId, reviewerId)
    .select(['v.number', 'v.title', 'v.created_by', 'u.name as created_by_name', 'v.created_at'])
    .$if(page.before !== undefined, (query) => query.where('v.number', '<', page.before!))
    .orderBy('v.number', 'desc')
    .limit(page.limit)
    .execute();
}

export function selectVersion(db: Db, organizationId: string, reviewerId: string, number: number) {
  return versions(db, organizationId, reviewerId)
    .select(['v.number', 'v.title', 'v.created_by', 'u.name as created_by_name', 'v.created_at'])
    .select(['v.description', 'v.kind', 'v.body'])
    .where('v.number', '=', number)
    .executeTakeFirst();
}

export type VersionRow = NonNullable<Awaited<ReturnType<typeof selectVersion>>>;

function versions(db: Db, organizationId: string, reviewerId: string) {
  return db
    .selectFrom('reviewer_versions as v')
    .leftJoin('users as u', 'u.id', 'v.created_by')
    .where('v.organization_id', '=', organizationId)
    .where('v.reviewer_id', '=', reviewerId);
}
