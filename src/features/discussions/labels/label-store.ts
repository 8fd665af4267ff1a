/** The queries behind the export of labels. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { DiscussionStatus, StatusCause } from '../contract.ts';

export interface ChangedDiscussion {
  id: string;
  repository: string;
  pull_request: number;
  file: string;
  start_line: number;
  end_line: number;
  commit: string | null;
  commented_code: string;
  comments: string[];
  changes: {
    to: DiscussionStatus;
    cause: StatusCause;
    commit: string | null;
    reason: string | null;
    at: string;
  }[];
}

/** In the order of their IDs; `after` is the last one of the previous page. */
export async function selectPullRequestsWithDiscussions(
  db: Db,
  organizationId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('pull_requests as p')
    .select('p.id')
    .where('p.organization_id', '=', organizationId)
    .$if(after !== null, (query) => query.where('p.id', '>', after!))
    .where((where) =>
      where.exists(
        where.selectFrom('discussions as d').select('d.id').whereRef('d.pull_request_id', '=', 'p.id'),
      ),
    )
    .orderBy('p.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function selectChangedDiscussions(
  db: Db,
  pullRequestIds: string[],
): Promise<ChangedDiscussion[]> {
  const { rows } = await sql<ChangedDiscussion>`
    WITH change AS MATERIALIZED (
      SELECT (e.data->>'discussionId')::uuid AS discussion_id, jsonb_agg(jsonb_build_object('to', e.data->'to', 'cause', e.data->'cause',
        'commit', e.data->'commit', 'reason', e.data->'reason', 'at', e.created_at) ORDER BY e.number) AS changes
      FROM events e
      WHERE e.subject_id = ANY(${pullRequestIds}::uuid[]) AND e.kind = 'discussion_status_changed'
      GROUP BY 1
    )
    SELECT d.id, r.name AS repository, p.number AS pull_request, d.file, d.start_line, d.end_line, d.commit, d.commented_code,
      ARRAY(SELECT c.body FROM pull_request_comments c WHERE c.discussion_id = d.id ORDER BY c.created_at, c.id) AS comments, change.changes
    FROM change
    JOIN discussions d ON d.id = change.discussion_id
    JOIN pull_requests p ON p.id = d.pull_request_id
    JOIN repositories r ON r.id = d.repository_id
    ORDER BY d.pull_request_id, d.id`.execute(db);
  return rows;
}
