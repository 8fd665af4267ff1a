/** Queries for the commits that apply suggestions. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

export interface SuggestionCommit {
  id: string;
  organizationId: string;
  repositoryId: string;
  pullRequestId: string;
  userId: string;
  branch: string;
  from: string;
  commit: string;
  suggestions: { commentId: string; index: number }[];
  /** The members who wrote them. */
  suggesterIds: string[];
  at: Date;
}

/** Before it is pushed, so that a hook on the git server, and whoever fetches it, knows whose it is. */
export async function insertSuggestionCommit(db: Db, made: SuggestionCommit): Promise<void> {
  const { suggestions } = made;
  await db
    .insertInto('suggestion_commits')
    .values({
      id: made.id,
      organization_id: made.organizationId,
      repository_id: made.repositoryId,
      pull_request_id: made.pullRequestId,
      user_id: made.userId,
      branch: made.branch,
      from_commit: made.from,
      commit: made.commit,
      comment_ids: suggestions.map(({ commentId }) => commentId),
      indexes: suggestions.map(({ index }) => index),
      suggester_ids: made.suggesterIds,
      made_at: made.at,
      applied_at: null,
    })
    .execute();
}

/** The origin did not take it. */
export async function deleteSuggestionCommit(db: Db, id: string): Promise<void> {
  await db.deleteFrom('suggestion_commits').where('id', '=', id).where('applied_at', 'is', null).execute();
}

export async function markSuggestionsApplied(db: Db, id: string, at: Date): Promise<void> {
  await db
    .updateTable('suggestion_commits')
    .set({ applied_at: at })
    .where('id', '=', id)
    .where('applied_at', 'is', null)
    .execute();
}

/** Those with one of these commits. */
export function selectSuggestionCommits(db: Db, repositoryId: string, commits: string[]) {
  return db
    .selectFrom('suggestion_commits')
    .select(['id', 'user_id', 'branch', 'from_commit', 'commit', 'comment_ids'])
    .where('repository_id', '=', repositoryId)
    .where('commit', '=', sql<string>`ANY(${commits}::text[])`)
    .execute();
}

export interface AppliedSuggestion {
  comment_id: string;
  index: number;
  commit: string;
  applied_by: string | null;
  applied_at: Date;
}

/** The suggestions of a pull request that were applied, oldest first. */
export async function selectAppliedSuggestions(db: Db, pullRequestId: string): Promise<AppliedSuggestion[]> {
  const { rows } = await sql<AppliedSuggestion>`
    SELECT s.comment_id, s.index, c.commit, u.name AS applied_by, c.applied_at
    FROM suggestion_commits c
    LEFT JOIN users u ON u.id = c.user_id
    CROSS JOIN LATERAL unnest(c.comment_ids, c.indexes) AS s (comment_id, index)
    WHERE c.pull_request_id = ${pullRequestId} AND c.applied_at IS NOT NULL
    ORDER BY c.applied_at, c.id`.execute(db);
  return rows;
}
