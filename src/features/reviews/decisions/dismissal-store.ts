/** Queries for the list of dismissals, and to undo one. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { type Reader, visibleRepositories } from '../../repositories/index.ts';

export interface DismissalFilter {
  repositoryId?: string;
  reviewerId?: string;
  before?: { at: Date; id: string };
  limit: number;
}

/** Dismissals in force in repositories that the reader can see, newest first. One whose discussion is open is not in force. */
export function selectDismissals(db: Db, reader: Reader, filter: DismissalFilter) {
  const { before, limit, repositoryId, reviewerId } = filter;
  return visibleRepositories(db, reader)
    .innerJoin('finding_decisions as f', 'f.repository_id', 'r.id')
    .innerJoin('discussions as d', 'd.id', 'f.discussion_id')
    .innerJoin('pull_requests as p', 'p.id', 'f.pull_request_id')
    .innerJoin('users as u', 'u.id', 'f.decided_by')
    .innerJoin('reviewers as v', 'v.id', 'd.reviewer_id')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('review_candidates as e')
          .select(['e.title', 'e.check_name', 'e.claim', 'e.subject', 'e.file'])
          .whereRef('e.discussion_id', '=', 'f.discussion_id')
          .orderBy(sql`e.fate <> 'finding'`)
          .limit(1)
          .as('c'),
      (join) => join.onTrue(),
    )
    .select(['f.id', 'f.discussion_id', 'f.scope', 'f.reason', 'f.note', 'f.created_at'])
    .select(['r.id as repository_id', 'r.name as repository_name', 'p.id as pull_request_id', 'p.number'])
    .select(['c.title', 'c.check_name', 'c.claim', 'c.subject', 'c.file'])
    .select(['d.producer_kind', 'd.producer_name', 'v.title as reviewer_title', 'v.built_in'])
    .select('u.name as decided_by_name')
    .where('f.organization_id', '=', reader.organizationId)
    .where('f.undone_at', 'is', null)
    .where('d.status', '<>', 'open')
    .$if(repositoryId !== undefined, (query) => query.where('f.repository_id', '=', repositoryId!))
    .$if(reviewerId !== undefined, (query) =>
      // Reports of agents and tools are not the reviewer's, here as in the figures.
      query.where('d.reviewer_id', '=', reviewerId!).where('d.producer_kind', 'is', null),
    )
    .$if(before !== undefined, (query) =>
      query.where(sql<boolean>`(f.created_at, f.id) < (${before!.at}, ${before!.id}::uuid)`),
    )
    .orderBy('f.created_at', 'desc')
    .orderBy('f.id', 'desc')
    .limit(limit)
    .execute();
}

export type DismissalRow = Awaited<ReturnType<typeof selectDismissals>>[number];

/** Undefined if it was undone. Whether the caller may see it is decided when its pull request is read. */
export function selectDismissal(db: Db, organizationId: string, id: string) {
  return db
    .selectFrom('finding_decisions')
    .select(['discussion_id', 'pull_request_id', 'reason', 'scope'])
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('undone_at', 'is', null)
    .executeTakeFirst();
}

/** Undoes all dismissals of a discussion. Returns their IDs: none if someone else was faster. */
export async function markUndone(db: Db, discussionId: string, at: Date): Promise<string[]> {
  const rows = await db
    .updateTable('finding_decisions')
    .set({ undone_at: at })
    .where('discussion_id', '=', discussionId)
    .where('undone_at', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
