-- Merges of plain-git pull requests: each attempt with the commit that it pushes, recorded before the push, and the facts that allowed it.
CREATE TABLE pull_request_merges (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  -- `pushing`: the origin may have the commit or not.
  state text NOT NULL CHECK (state IN ('pushing', 'merged', 'failed')),
  method text NOT NULL CHECK (method IN ('merge', 'squash', 'rebase')),
  user_id uuid REFERENCES users (id),
  base_branch text NOT NULL,
  base_commit text NOT NULL,
  head_commit text NOT NULL,
  merge_commit text NOT NULL,
  tree text NOT NULL,
  -- The terms of the rule that applied; null: the default.
  rule jsonb,
  approver_ids uuid[] NOT NULL,
  -- The kinds of requirements that weren't met, and why an admin merged anyway.
  bypassed text[] NOT NULL,
  bypass_reason text,
  delete_branch boolean NOT NULL,
  started_at timestamptz NOT NULL,
  -- While `pushing`: when somebody else may look at the origin, because the process that pushes is gone.
  look_at timestamptz NOT NULL,
  finished_at timestamptz,
  -- Why it failed.
  failure text CHECK (failure IN ('lease_lost', 'rejected', 'no_permission', 'unreachable', 'interrupted')),
  problem text
);
CREATE UNIQUE INDEX pull_request_merges_pushing ON pull_request_merges (pull_request_id) WHERE state = 'pushing';
CREATE INDEX pull_request_merges_newest ON pull_request_merges (pull_request_id, started_at DESC, id DESC);
CREATE INDEX pull_request_merges_due ON pull_request_merges (look_at) WHERE state = 'pushing';
CREATE INDEX pull_request_merges_commit ON pull_request_merges (repository_id, merge_commit);
CREATE INDEX pull_request_merges_organization ON pull_request_merges (organization_id);
