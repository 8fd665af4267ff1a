-- Who owns what a pull request changes, read from CODEOWNERS at its base commit, for the exact pair of commits.
ALTER TABLE pull_requests
  ADD COLUMN owners_head text,
  ADD COLUMN owners_base text,
  ADD COLUMN owners_queued_at timestamptz,
  -- When the reviewers of its repository and its owners were first asked. Those that are older are not asked again.
  ADD COLUMN reviewers_asked_at timestamptz;
UPDATE pull_requests SET reviewers_asked_at = now() WHERE state IN ('open', 'draft');
CREATE INDEX pull_requests_owners_due ON pull_requests (repository_id)
  WHERE state IN ('open', 'draft') AND head_commit IS NOT NULL AND base_commit IS NOT NULL
    AND (owners_head IS DISTINCT FROM head_commit OR owners_base IS DISTINCT FROM base_commit);

CREATE TABLE pull_request_owners (
  pull_request_id uuid PRIMARY KEY REFERENCES pull_requests (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  -- The path of CODEOWNERS; null: there is none.
  file text,
  -- Whose rules: who a name stands for differs.
  dialect text NOT NULL CHECK (dialect IN ('github', 'gitlab', 'gitea')),
  -- As the file says it, so that it stays true when members and teams change: [{section, line, pattern, owners: [{kind, name}], required, paths}].
  owned jsonb NOT NULL,
  -- [{line, reason}]
  problems jsonb NOT NULL
);
CREATE INDEX pull_request_owners_organization ON pull_request_owners (organization_id);

-- Who is asked for a review when a pull request of a repository is opened or becomes ready.
CREATE TABLE repository_review_settings (
  repository_id uuid PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  -- Null: on for plain git; a code host asks the owners itself.
  ask_owners boolean,
  user_ids uuid[] NOT NULL,
  team_ids uuid[] NOT NULL
);
CREATE INDEX repository_review_settings_organization ON repository_review_settings (organization_id);

ALTER TABLE inbox_items DROP CONSTRAINT inbox_items_kind_check;
ALTER TABLE inbox_items ADD CONSTRAINT inbox_items_kind_check CHECK (kind IN ('comment', 'reply', 'review_requested',
  'team_review_requested', 'approved', 'changes_requested', 'new_version', 'new_commits', 'conflicts', 'merged', 'closed',
  'credential_refused'));
