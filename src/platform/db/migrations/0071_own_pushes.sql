-- Pushes of the service other than merges and suggestions, recorded before they are sent, so that a hook on the git server lets them pass.
CREATE TABLE own_pushes (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  user_id uuid REFERENCES users (id),
  kind text NOT NULL CHECK (kind IN ('update', 'revert', 'delete', 'restore')),
  branch text NOT NULL,
  -- Null for a branch that didn't exist.
  from_commit text,
  -- Null for a branch that is deleted.
  to_commit text,
  made_at timestamptz NOT NULL
);
CREATE INDEX own_pushes_branch ON own_pushes (repository_id, branch);
CREATE INDEX own_pushes_pull_request ON own_pushes (pull_request_id);
CREATE INDEX own_pushes_organization ON own_pushes (organization_id);
