/** The repositories that someone may know of: every query of repositories for a caller begins here. */
import { type RawBuilder, sql } from 'kysely';
import { type Actor, hasRole } from '../../platform/core/actor.ts';
import type { Db } from '../../platform/db/index.ts';

/** For whom repositories are looked at. */
export type Reader = Pick<Actor, 'organizationId' | 'userId' | 'role'>;

/** Those of the whole organization and those whose members they are; admins and owners see all. */
export function visibleRepositories(db: Db, reader: Reader) {
  const all = db.selectFrom('repositories as r').where('r.organization_id', '=', reader.organizationId);
  if (hasRole(reader.role, 'admin')) return all;
  return all.where(isOpenTo(sql`${reader.userId}::uuid`));
}

/** The same where the one to see it is known only within the query: of the repository `r`, which is of their organization. */
export function visibleTo(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${isOpenTo(userId)} OR (SELECT s.role IN ('admin', 'owner') FROM memberships s
    WHERE s.organization_id = r.organization_id AND s.user_id = ${userId}))`;
}

/** A query of one row where EXISTS would do: PostgreSQL may answer that from a table of all members, made for each query. */
function isOpenTo(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(r.visibility = 'organization' OR (
    SELECT true FROM repository_members m WHERE m.repository_id = r.id AND m.user_id = ${userId}))`;
}

/** The operator on the host, who sees everything of an organization. */
export function operatorIn(organizationId: string): Reader {
  return { organizationId, userId: '', role: 'owner' };
}
