/** The repositories that a reader can see: every query of repositories for a caller starts here. */
import { type RawBuilder, sql } from 'kysely';
import { type Actor, hasRole } from '../../../platform/core/operations/actor.ts';
import type { Db } from '../../../platform/db/index.ts';

/** The reader that repositories are filtered for. */
export type Reader = Pick<Actor, 'organizationId' | 'userId' | 'role'>;

/** Repositories visible to the whole organization, and those shared with the reader; admins and owners see all. */
export function visibleRepositories(db: Db, reader: Reader) {
  const all = db.selectFrom('repositories as r').where('r.organization_id', '=', reader.organizationId);
  if (hasRole(reader.role, 'admin')) return all;
  return all.where(isOpenTo(sql`${reader.userId}::uuid`));
}

/**
 * The others of the organization: usually far fewer, so that leaving them out of many rows costs less. Only where what is shown in
 * the end comes from the visible ones.
 */
export function hiddenRepositories(db: Db, reader: Reader) {
  const all = db.selectFrom('repositories as r').where('r.organization_id', '=', reader.organizationId);
  if (hasRole(reader.role, 'admin')) return all.where(sql<boolean>`false`);
  return all.where(sql<boolean>`${isOpenTo(sql`${reader.userId}::uuid`)} IS NOT TRUE`);
}

/** Whether a user known only within the query can see it: for the repository `r` in their organization. */
export function visibleTo(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${isOpenTo(userId)} OR (SELECT own_membership.role IN ('admin', 'owner') FROM memberships own_membership
    WHERE own_membership.organization_id = r.organization_id AND own_membership.user_id = ${userId}))`;
}

/**
 * A single-row subquery instead of EXISTS, which PostgreSQL may answer with a hash of all members for each query. Its alias is one that no
 * query around it has: `userId` would mean this table then.
 */
function isOpenTo(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(r.visibility = 'organization' OR (
    SELECT true FROM repository_members allowed_reader WHERE allowed_reader.repository_id = r.id
      AND allowed_reader.user_id = ${userId}))`;
}

/** Whether everyone who can see one repository (`own`) can see another of the organization (`r`) too. */
export function visibleToReadersOfOwn(): RawBuilder<boolean> {
  return sql<boolean>`(r.visibility = 'organization' OR (own.visibility <> 'organization' AND NOT EXISTS (
    SELECT FROM repository_members m WHERE m.repository_id = own.id
      AND (SELECT s.role NOT IN ('admin', 'owner') FROM memberships s
        WHERE s.organization_id = own.organization_id AND s.user_id = m.user_id)
      AND (SELECT true FROM repository_members n WHERE n.repository_id = r.id AND n.user_id = m.user_id) IS NULL)))`;
}

/**
 * Whether a row of another table names a repository that the reader can't see; false without an ID, because then the name is only
 * text that someone wrote. Plans show `UNSEEN_REPOSITORY` in its place.
 */
export function isUnseenBy(reader: Reader, repositoryId: RawBuilder<unknown>): RawBuilder<boolean> {
  if (hasRole(reader.role, 'admin')) return sql<boolean>`false`;
  return sql<boolean>`(${repositoryId} IS NOT NULL AND (SELECT ${isOpenTo(sql`${reader.userId}::uuid`)} FROM repositories r
    WHERE r.id = ${repositoryId}) IS NOT TRUE)`;
}

export const UNSEEN_REPOSITORY = "a repository that you can't see";

/** The operator on the host, who sees everything in an organization. */
export function operatorIn(organizationId: string): Reader {
  return { organizationId, userId: '', role: 'owner' };
}
