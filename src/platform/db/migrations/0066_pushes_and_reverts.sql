-- An approval that could not be compared with a new head is tried again later, and lets others through first.
ALTER TABLE pull_request_verdicts
  ADD COLUMN kept_failures integer NOT NULL DEFAULT 0,
  ADD COLUMN kept_retry_at timestamptz;

-- The merged pull request that this one reverts.
ALTER TABLE pull_requests ADD COLUMN reverts_id uuid REFERENCES pull_requests (id) ON DELETE SET NULL;
CREATE INDEX pull_requests_reverts ON pull_requests (reverts_id, number) WHERE reverts_id IS NOT NULL;

-- When the origin last refused a push because the present credential isn't allowed to.
ALTER TABLE repositories ADD COLUMN push_refused_at timestamptz;

-- The check `Countersign: approved` looks at all active ones of code hosts.
CREATE INDEX pull_requests_on_hosts ON pull_requests (id) WHERE origin = 'host' AND state IN ('open', 'draft');
