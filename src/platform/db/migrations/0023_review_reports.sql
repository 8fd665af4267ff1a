-- What a code host is told about the reviews of a pull request, beside the findings themselves.

CREATE TABLE review_reports (
  pull_request_id uuid PRIMARY KEY REFERENCES pull_requests (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  -- The head that the check is shown on.
  commit text NOT NULL,
  check_state text NOT NULL CHECK (check_state IN ('success', 'neutral')),
  check_title text NOT NULL,
  check_text text NOT NULL,
  -- Null until there is a finding.
  summary text,
  -- The comment with the summary on the host.
  summary_comment_id text,
  sending text NOT NULL CHECK (sending IN ('waiting', 'sent', 'failed')),
  sending_problem text
);
CREATE INDEX review_reports_waiting ON review_reports (pull_request_id) WHERE sending = 'waiting';
