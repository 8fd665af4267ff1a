/** Queries for the pull requests linked to plans. */
import type { Db } from '../../platform/db/index.ts';

const MAX_SHOWN = 500;

export interface NewPullRequestLink {
  id: string;
  planId: string;
  organizationId: string;
  repositoryId: string | null;
  repositoryName: string | null;
  number: number;
  userId: string;
  at: Date;
}

/** Returns whether the link is new: a pull request is linked only once. */
export async function insertPullRequestLink(db: Db, link: NewPullRequestLink): Promise<boolean> {
  const row = await db
    .insertInto('plan_pull_requests')
    .values({
      id: link.id,
      plan_id: link.planId,
      organization_id: link.organizationId,
      repository_id: link.repositoryId,
      repository_name: link.repositoryName,
      number: link.number,
      linked_by: link.userId,
      linked_at: link.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export function selectPullRequests(db: Db, planId: string) {
  return db
    .selectFrom('plan_pull_requests')
    .select(['repository_id', 'repository_name', 'number', 'linked_at'])
    .where('plan_id', '=', planId)
    .orderBy('linked_at')
    .orderBy('number')
    .limit(MAX_SHOWN)
    .execute();
}

export type PullRequestRow = Awaited<ReturnType<typeof selectPullRequests>>[number];
