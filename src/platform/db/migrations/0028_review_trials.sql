-- Reviewers that were tried on past pull requests, without posting anything.
CREATE TABLE review_trials (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  -- A version of one reviewer, or all active reviewers on what a code host merged.
  reviewer_id uuid REFERENCES reviewers (id) ON DELETE CASCADE,
  version integer,
  code_host_id uuid REFERENCES code_hosts (id) ON DELETE CASCADE,
  started_by uuid NOT NULL REFERENCES users (id),
  state text NOT NULL CHECK (state IN ('running', 'done', 'cancelled')),
  -- When it was queued or last made progress.
  queued_at timestamptz,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  CHECK ((reviewer_id IS NULL) = (version IS NULL)),
  CHECK ((reviewer_id IS NULL) <> (code_host_id IS NULL))
);
CREATE UNIQUE INDEX review_trials_running ON review_trials (organization_id) WHERE state = 'running';
CREATE INDEX review_trials_organization ON review_trials (organization_id, created_at, id);
CREATE INDEX review_trials_reviewer ON review_trials (reviewer_id, created_at, id) WHERE reviewer_id IS NOT NULL;
CREATE INDEX review_trials_code_host ON review_trials (code_host_id, created_at, id) WHERE code_host_id IS NOT NULL;

CREATE TABLE review_trial_pull_requests (
  trial_id uuid NOT NULL REFERENCES review_trials (id) ON DELETE CASCADE,
  position integer NOT NULL,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  -- Null until it was looked at.
  reviewed_at timestamptz,
  -- Why it could not be reviewed.
  problem text,
  -- [{outcome, fixed, reviewer, check, title, file, line, quote}]
  findings jsonb NOT NULL,
  PRIMARY KEY (trial_id, position)
);
CREATE INDEX review_trial_pull_requests_pull_request ON review_trial_pull_requests (pull_request_id);
CREATE INDEX review_trial_pull_requests_repository ON review_trial_pull_requests (repository_id);
