-- The texts of comments on pull requests before they were edited.
CREATE TABLE comment_edits (
  comment_id uuid NOT NULL REFERENCES pull_request_comments (id) ON DELETE CASCADE,
  position integer NOT NULL,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  body text NOT NULL,
  written_at timestamptz NOT NULL,
  replaced_at timestamptz NOT NULL,
  PRIMARY KEY (comment_id, position)
);
CREATE INDEX comment_edits_organization ON comment_edits (organization_id);

-- The places of comments that were deleted. Their texts are gone with their rows, so that nothing can show them by forgetting a condition.
CREATE TABLE deleted_comments (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  -- Null: of the general conversation.
  discussion_id uuid REFERENCES discussions (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz NOT NULL,
  deleted_by uuid REFERENCES users (id)
);
CREATE INDEX deleted_comments_pull_request ON deleted_comments (pull_request_id, created_at, id);
CREATE INDEX deleted_comments_discussion ON deleted_comments (discussion_id) WHERE discussion_id IS NOT NULL;
CREATE INDEX deleted_comments_organization ON deleted_comments (organization_id);
