-- Named groups of members: made here, or kept in step with a group of single sign-on.
CREATE TABLE teams (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  name text NOT NULL,
  folded_name text NOT NULL GENERATED ALWAYS AS (lower(name)) STORED,
  -- The value of the provider's claim that makes someone a member; null: members are chosen here.
  provider_group text,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX teams_name ON teams (organization_id, folded_name);

-- Also of members who were deactivated: they are left out when it is read, and are back with their account.
CREATE TABLE team_members (
  team_id uuid NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users (id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  added_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, user_id)
);
CREATE INDEX team_members_user ON team_members (organization_id, user_id);

-- The groups that the provider named last, so that a team that is made later has its members at once.
ALTER TABLE single_sign_on_identities ADD COLUMN groups text[];

-- A review that a team was asked for: one of its members answers for all of them.
ALTER TABLE pull_request_review_requests ADD COLUMN team_id uuid REFERENCES teams (id) ON DELETE CASCADE;
CREATE INDEX pull_request_review_requests_team ON pull_request_review_requests (team_id) WHERE team_id IS NOT NULL;
