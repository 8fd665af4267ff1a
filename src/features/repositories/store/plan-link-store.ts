/** Queries that keep the links of plans to a repository when it is added or removed. Plans know repositories and not the other way around. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { visibleTo } from './visible-repositories-store.ts';

/**
 * Plans that were linked to its pull requests by its name, before it was added. The last part of the name is enough. Only if whoever
 * linked them can see the repository: nobody learns from their own link that it exists.
 */
export async function attachPlanLinks(
  db: Db,
  { id, name, organizationId }: { id: string; organizationId: string; name: string },
): Promise<void> {
  const folded = name.toLowerCase();
  const names = [folded, folded.slice(folded.lastIndexOf('/') + 1)];
  // A plan can be linked to one pull request by both names.
  await sql`UPDATE plan_pull_requests SET repository_id = ${id}, repository_name = ${name}, was_private = false
    WHERE id IN (SELECT DISTINCT ON (plan_id, number) id FROM plan_pull_requests
      WHERE organization_id = ${organizationId} AND repository_id IS NULL AND lower(repository_name) = ANY(${names}::text[])
        AND (SELECT ${visibleTo(sql`linked_by`)} FROM repositories r WHERE r.id = ${id})
      ORDER BY plan_id, number, linked_at)`.execute(db);
}

/**
 * Plans keep the name of a repository that is removed, for those who could see it anyway: everyone, or else only admins. Where a plan is also
 * linked to the same pull request by that name, the two links would be identical, so one of them is deleted.
 */
export async function keepNameInPlans(db: Db, repositoryId: string): Promise<void> {
  await sql`DELETE FROM plan_pull_requests p USING plan_pull_requests q
    WHERE p.repository_id = ${repositoryId} AND q.plan_id = p.plan_id AND q.number = p.number
      AND q.repository_id IS NULL AND lower(q.repository_name) = lower(p.repository_name)`.execute(db);
  const wasPrivate = sql<boolean>`(SELECT visibility <> 'organization' FROM repositories WHERE id = ${repositoryId})`;
  await db
    .updateTable('plan_version_repositories')
    .set({ was_private: true })
    .where('repository_id', '=', repositoryId)
    .where(wasPrivate)
    .execute();
  await db
    .updateTable('plan_pull_requests')
    .set({ was_private: true })
    .where('repository_id', '=', repositoryId)
    .where(wasPrivate)
    .execute();
}
