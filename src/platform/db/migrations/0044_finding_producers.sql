-- Which agent or tool reported a finding, so that it doesn't count as the reviewer's own. Null for what a reviewer found itself.
ALTER TABLE discussions
  ADD COLUMN producer_kind text CHECK (producer_kind IN ('agent', 'tool')),
  ADD COLUMN producer_name text;
UPDATE discussions d SET producer_kind = c.producer->>'kind', producer_name = c.producer->>'vendor'
  FROM review_candidates c
  WHERE c.discussion_id = d.id AND c.fate = 'finding' AND c.producer->>'kind' IN ('agent', 'tool');
-- The newest discussions of a reviewer itself; the repository is in it to skip those that a reader can't see.
CREATE INDEX discussions_of_reviewer ON discussions (reviewer_id, created_at, id) INCLUDE (repository_id)
  WHERE reviewer_id IS NOT NULL AND producer_kind IS NULL;
-- The further places of the findings of a pull request.
CREATE INDEX review_candidates_grouped ON review_candidates (pull_request_id, finding_key) WHERE fate = 'grouped';
