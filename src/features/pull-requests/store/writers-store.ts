/** The part of queries that names the members who wrote some of a pull request here, whatever became of their commits. */
import { sql } from 'kysely';

/**
 * Who updated the head branch, resolved conflicts or applied suggestions here, and who suggested: a squash by somebody else leaves no
 * trace of them in git. It is theirs from when it is sent, before the branch is fetched, and in all pull requests of the branch that
 * were open then. Yields `user_id`, also more than once or null, for the pull request `p`.
 * The indexes of both tables have the default collation.
 */
export const writersHere = sql`SELECT o.user_id FROM own_pushes o
    WHERE o.repository_id = p.repository_id AND o.branch = p.head_branch COLLATE "default" AND o.kind = 'update'
      AND (o.pull_request_id = p.id OR o.made_at >= p.created_at)
  UNION ALL SELECT unnest(s.suggester_ids || s.user_id) FROM suggestion_commits s
    WHERE s.repository_id = p.repository_id AND s.branch = p.head_branch COLLATE "default"
      AND (s.pull_request_id = p.id OR s.made_at >= p.created_at)`;
