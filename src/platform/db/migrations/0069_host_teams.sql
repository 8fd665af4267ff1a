-- Teams that are kept in step with a team or group of a code host. Without the host, their members are chosen here.
ALTER TABLE teams
  ADD COLUMN code_host_id uuid REFERENCES code_hosts (id) ON DELETE SET NULL,
  -- As the host names it: `acme/platform`; on GitLab the path of a group.
  ADD COLUMN host_team text,
  -- When its members were last read; null: they are to be read.
  ADD COLUMN host_synced_at timestamptz,
  -- Why they could not be read.
  ADD COLUMN host_problem text,
  -- Logins of members whose account is linked to nobody here.
  ADD COLUMN host_unlinked text[] NOT NULL DEFAULT '{}';
CREATE INDEX teams_code_host ON teams (code_host_id) WHERE code_host_id IS NOT NULL;

-- A review that the code host asked a team for, by the name that the host gives it, also if a team here follows it.
ALTER TABLE pull_request_review_requests ADD COLUMN host_team text;
