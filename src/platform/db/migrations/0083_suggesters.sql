-- Who wrote the suggestions of a commit: their approval would be one of their own work, also after they deleted the comment or the
-- commit was squashed.
ALTER TABLE suggestion_commits ADD COLUMN suggester_ids uuid[] NOT NULL DEFAULT '{}';
UPDATE suggestion_commits s SET suggester_ids = ARRAY(SELECT DISTINCT c.author_user_id FROM pull_request_comments c
  WHERE c.id = ANY(s.comment_ids) AND c.author_user_id IS NOT NULL);
CREATE INDEX suggestion_commits_branch ON suggestion_commits (repository_id, branch);
