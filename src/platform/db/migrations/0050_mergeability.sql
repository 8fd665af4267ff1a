-- Whether the head of a pull request merges into its base branch, for the exact pair of commits that it was checked for.
ALTER TABLE pull_requests
  -- Null: never checked. `blocked`: the code host says that it can't be merged, but not why.
  ADD COLUMN merge_state text CHECK (merge_state IN ('checking', 'clean', 'conflicts', 'blocked', 'unknown')),
  ADD COLUMN merge_checked_head text,
  ADD COLUMN merge_checked_base text,
  ADD COLUMN merge_queued_at timestamptz;
CREATE INDEX pull_requests_merge_due ON pull_requests (repository_id)
  WHERE origin = 'git' AND state IN ('open', 'draft') AND base_commit IS NOT NULL
    AND (merge_checked_head IS DISTINCT FROM head_commit OR merge_checked_base IS DISTINCT FROM base_commit);

-- Only of those that conflict now, and not of code hosts, which don't say it.
CREATE TABLE pull_request_conflicts (
  pull_request_id uuid PRIMARY KEY REFERENCES pull_requests (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  file_count integer NOT NULL,
  -- The first files: [{path, kind, hunks: [{context, base, head}], truncated}].
  files jsonb NOT NULL
);
CREATE INDEX pull_request_conflicts_organization ON pull_request_conflicts (organization_id);

ALTER TABLE inbox_items DROP CONSTRAINT inbox_items_kind_check;
ALTER TABLE inbox_items ADD CONSTRAINT inbox_items_kind_check CHECK (kind IN ('comment', 'reply', 'review_requested',
  'approved', 'changes_requested', 'new_version', 'new_commits', 'conflicts', 'merged', 'closed', 'credential_refused'));
