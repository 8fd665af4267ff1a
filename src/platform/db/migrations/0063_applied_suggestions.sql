-- Commits that apply suggestions to head branches of plain git, recorded before they are pushed. Only these may be ours there.
CREATE TABLE suggestion_commits (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  -- Who applied them.
  user_id uuid REFERENCES users (id),
  branch text NOT NULL,
  from_commit text NOT NULL,
  commit text NOT NULL,
  -- Each suggestion: the comment, and which block of it.
  comment_ids uuid[] NOT NULL,
  indexes integer[] NOT NULL,
  made_at timestamptz NOT NULL,
  -- Null unless it is known that the origin has it.
  applied_at timestamptz
);
CREATE INDEX suggestion_commits_pull_request ON suggestion_commits (pull_request_id);
CREATE INDEX suggestion_commits_commit ON suggestion_commits (repository_id, commit);
CREATE INDEX suggestion_commits_organization ON suggestion_commits (organization_id);
