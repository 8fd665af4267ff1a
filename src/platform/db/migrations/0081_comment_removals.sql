-- Comments that were deleted here and have to be deleted on the code host too. Recorded with the deletion, until the host no longer has them.
CREATE TABLE comment_removals (
  -- The comment is gone; what was posted for it has this ID in its marker.
  comment_id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  -- Null: not known when it was deleted.
  host_comment_id text,
  attempts integer NOT NULL,
  removed_at timestamptz NOT NULL
);
CREATE INDEX comment_removals_pull_request ON comment_removals (pull_request_id);
CREATE INDEX comment_removals_organization ON comment_removals (organization_id);
