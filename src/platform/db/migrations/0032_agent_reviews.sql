-- Reviews by agents and tools: what they report is a draft until they finish.

CREATE TABLE agent_reviews (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  -- Null when the findings are for the agent alone.
  pull_request_id uuid REFERENCES pull_requests (id) ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users (id),
  credential_id uuid NOT NULL,
  -- {kind, userId, userName, vendor, model, sessionId}
  producer jsonb NOT NULL,
  -- Of a patch, the commit that it makes.
  head_commit text NOT NULL,
  merge_base text NOT NULL,
  -- Changes that were not pushed; removed when the review ends.
  patch text,
  -- Changed files, and those of them that the agent received.
  paths text[] NOT NULL,
  served text[] NOT NULL DEFAULT '{}',
  added_lines integer NOT NULL,
  more_files integer NOT NULL,
  -- [{path, reason}]
  not_reviewed jsonb NOT NULL,
  lease_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  finished_at timestamptz
);
CREATE INDEX agent_reviews_open ON agent_reviews (credential_id, lease_until) WHERE finished_at IS NULL;
CREATE INDEX agent_reviews_change ON agent_reviews (repository_id, head_commit);
CREATE INDEX agent_reviews_pull_request ON agent_reviews (pull_request_id) WHERE pull_request_id IS NOT NULL;
CREATE INDEX agent_reviews_patch ON agent_reviews (user_id) WHERE patch IS NOT NULL;

-- Every report, and how it was answered.
CREATE TABLE agent_findings (
  id uuid PRIMARY KEY,
  review_id uuid NOT NULL REFERENCES agent_reviews (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  finding_key text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('accepted', 'refused', 'duplicate', 'decided')),
  reason text,
  candidate jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX agent_findings_review ON agent_findings (review_id, created_at, id);
CREATE UNIQUE INDEX agent_findings_accepted ON agent_findings (review_id, finding_key) WHERE outcome = 'accepted';

-- What another review found out about a finding that no check could prove.
CREATE TABLE finding_verdicts (
  finding_id uuid NOT NULL REFERENCES agent_findings (id) ON DELETE CASCADE,
  review_id uuid NOT NULL REFERENCES agent_reviews (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  verdict text NOT NULL CHECK (verdict IN ('confirmed', 'refuted', 'unsure')),
  reason text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (finding_id, review_id)
);
CREATE INDEX finding_verdicts_review ON finding_verdicts (review_id);

ALTER TABLE review_runs
  DROP CONSTRAINT review_runs_trigger_check,
  ADD CONSTRAINT review_runs_trigger_check CHECK (trigger IN ('opened', 'pushed', 'ready', 'resolved', 'requested', 'agent'));
ALTER TABLE review_candidates
  ADD COLUMN fix text,
  ADD COLUMN proof text CHECK (proof IN ('proven', 'unverified')),
  ADD COLUMN confirmed_by text,
  -- Who reported it; null for the checks of built-in reviewers.
  ADD COLUMN producer jsonb;
-- What people dismissed in a repository, newest first.
CREATE INDEX finding_decisions_repository ON finding_decisions (repository_id, created_at);
