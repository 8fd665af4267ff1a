-- Reviews of pull requests by the service's reviewers.

ALTER TABLE pull_requests
  -- Why a review is due; null when none is.
  ADD COLUMN review_trigger text CHECK (review_trigger IN ('opened', 'pushed', 'ready', 'resolved', 'requested')),
  ADD COLUMN review_requested_by uuid REFERENCES users (id),
  ADD COLUMN review_queued_at timestamptz,
  ADD COLUMN review_started_at timestamptz;
CREATE INDEX pull_requests_review_due ON pull_requests (id) WHERE review_trigger IS NOT NULL;

CREATE TABLE review_runs (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  trigger text NOT NULL CHECK (trigger IN ('opened', 'pushed', 'ready', 'resolved', 'requested')),
  requested_by uuid REFERENCES users (id),
  head_commit text NOT NULL,
  merge_base text NOT NULL,
  state text NOT NULL CHECK (state IN ('done', 'failed', 'skipped')),
  -- Why it failed or was skipped.
  problem text,
  files integer NOT NULL,
  added_lines integer NOT NULL,
  more_files integer NOT NULL,
  -- [{path, reason}] and [{name, reviewer, looksFor, candidates, failure}].
  not_reviewed jsonb NOT NULL,
  checks jsonb NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL
);
CREATE INDEX review_runs_pull_request ON review_runs (pull_request_id, started_at, id);

-- Everything that a check reported, and what became of it.
CREATE TABLE review_candidates (
  run_id uuid NOT NULL REFERENCES review_runs (id) ON DELETE CASCADE,
  position integer NOT NULL,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  reviewer_id uuid NOT NULL REFERENCES reviewers (id),
  check_name text NOT NULL,
  claim text NOT NULL,
  subject text NOT NULL,
  title text NOT NULL,
  scenario text NOT NULL,
  file text NOT NULL,
  side text NOT NULL CHECK (side IN ('base', 'head')),
  line integer NOT NULL,
  quote text NOT NULL,
  -- [{side, path, line, quote, repository?}]
  evidence jsonb NOT NULL,
  command text,
  -- The same for the same finding after a rebase, a move or a rename.
  finding_key text NOT NULL,
  fate text NOT NULL CHECK (fate IN ('finding', 'refused', 'known', 'grouped', 'held_back')),
  fate_reason text,
  discussion_id uuid REFERENCES discussions (id) ON DELETE SET NULL,
  PRIMARY KEY (run_id, position)
);
CREATE INDEX review_candidates_pull_request ON review_candidates (pull_request_id, finding_key) WHERE discussion_id IS NOT NULL;
CREATE INDEX review_candidates_discussion ON review_candidates (discussion_id) WHERE discussion_id IS NOT NULL;

-- Findings that a person dismissed: they are not raised again within the scope.
CREATE TABLE finding_decisions (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  discussion_id uuid NOT NULL REFERENCES discussions (id) ON DELETE CASCADE,
  finding_key text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('pull_request', 'repository', 'organization')),
  reason text NOT NULL CHECK (reason IN ('wrong', 'intended', 'not_worth_it', 'later')),
  note text,
  decided_by uuid NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL
);
CREATE INDEX finding_decisions_key ON finding_decisions (organization_id, finding_key);
CREATE INDEX finding_decisions_discussion ON finding_decisions (discussion_id);
