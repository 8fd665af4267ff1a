-- The newest head for which it was found out whether an approval of an earlier one still counts.
ALTER TABLE pull_request_verdicts ADD COLUMN kept_checked_head text;

-- The check `Countersign: approved` on pull requests of code hosts.
CREATE TABLE approval_checks (
  pull_request_id uuid PRIMARY KEY REFERENCES pull_requests (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  -- The last event of the pull request that was taken into account, and when the rest was read.
  evaluated_event bigint NOT NULL,
  evaluated_at timestamptz NOT NULL,
  -- Null while no merge rule has ever matched: then nothing is shown.
  state text CHECK (state IN ('success', 'pending', 'failure')),
  commit text NOT NULL,
  title text NOT NULL,
  text text NOT NULL,
  sending text NOT NULL CHECK (sending IN ('none', 'waiting', 'sent', 'failed')),
  sending_problem text
);
CREATE INDEX approval_checks_organization ON approval_checks (organization_id);
CREATE INDEX approval_checks_waiting ON approval_checks (pull_request_id) WHERE sending = 'waiting';
