-- Who decides that a pull request may be merged: rules by repository and base branch, and what an approval was given to.
CREATE TABLE merge_rules (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  -- Null: every repository.
  repository_id uuid REFERENCES repositories (id) ON DELETE CASCADE,
  -- Of base branches; `*` stands for any characters but a slash, `**` for any.
  pattern text COLLATE "C" NOT NULL,
  approvals integer NOT NULL CHECK (approvals >= 0),
  -- Whether an owner of every changed path has to approve.
  owners boolean NOT NULL,
  -- Those that must be successful: [{name, userIds, hostAccounts}], with who may set each.
  statuses jsonb NOT NULL,
  -- Whether a person has to resolve every discussion.
  resolved_discussions boolean NOT NULL,
  approved_plan boolean NOT NULL,
  -- Whether an approval still counts after a push that leaves the patch as it was.
  keep_approvals boolean NOT NULL,
  -- Whether the only active person of an organization can approve their own work.
  allow_only_person boolean NOT NULL,
  -- The lowest role that may merge; null: only the people named.
  merge_role text CHECK (merge_role IN ('member', 'admin', 'owner')),
  merge_user_ids uuid[] NOT NULL,
  updated_by uuid REFERENCES users (id),
  updated_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (organization_id, repository_id, pattern)
);
CREATE INDEX merge_rules_repository ON merge_rules (repository_id) WHERE repository_id IS NOT NULL;

ALTER TABLE pull_request_verdicts
  -- Whether an approval was given to the person's own work, and what let it through. Null: not an approval given here, or the version before didn't say.
  ADD COLUMN own_work text CHECK (own_work IN ('no', 'self_approval', 'only_person')),
  -- A later head with the same patch, which the person didn't push or commit.
  ADD COLUMN kept_for_head text;
