-- Comments of reviews that are not submitted yet. Only their author sees them; on submission they become discussions and replies.
CREATE TABLE pending_comments (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users (id),
  -- A reply whose discussion was deleted keeps its place, and starts a new one there.
  discussion_id uuid REFERENCES discussions (id) ON DELETE SET NULL,
  is_reply boolean NOT NULL,
  file text NOT NULL,
  side text NOT NULL CHECK (side IN ('new', 'old')),
  start_line integer NOT NULL CHECK (start_line >= 0),
  end_line integer NOT NULL CHECK (end_line >= start_line),
  commit text,
  commented_code text NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX pending_comments_author ON pending_comments (pull_request_id, user_id, created_at, id);
CREATE INDEX pending_comments_discussion ON pending_comments (discussion_id) WHERE discussion_id IS NOT NULL;
CREATE INDEX pending_comments_organization ON pending_comments (organization_id);
CREATE INDEX pending_comments_user ON pending_comments (user_id);

-- The review that a comment was submitted with, which is one post on a code host.
ALTER TABLE pull_request_comments ADD COLUMN verdict_id uuid REFERENCES pull_request_verdicts (id) ON DELETE SET NULL;
CREATE INDEX pull_request_comments_verdict ON pull_request_comments (verdict_id) WHERE verdict_id IS NOT NULL;
