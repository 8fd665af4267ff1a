-- Who was mentioned in a text already, so that an edit notifies only people who are new in it.
CREATE TABLE mentions (
  -- A comment, a review, a pull request or a plan.
  source_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  mentioned_at timestamptz NOT NULL,
  PRIMARY KEY (source_id, user_id)
);
CREATE INDEX mentions_user ON mentions (organization_id, user_id);
CREATE INDEX mentions_age ON mentions (mentioned_at);

ALTER TABLE inbox_items DROP CONSTRAINT inbox_items_kind_check;
ALTER TABLE inbox_items ADD CONSTRAINT inbox_items_kind_check CHECK (kind IN ('comment', 'reply', 'mentioned', 'review_requested', 'team_review_requested',
  'approved', 'changes_requested', 'new_version', 'new_commits', 'conflicts', 'leaked_secret', 'merged', 'closed',
  'credential_refused'));

ALTER TABLE mail_settings ADD COLUMN mentions text NOT NULL DEFAULT 'now' CHECK (mentions IN ('off', 'now', 'daily'));

-- When admins were told of a secret that nobody removed or dismissed.
ALTER TABLE review_candidates ADD COLUMN admins_told_at timestamptz;
-- Nobody is told about everything that was found before the upgrade.
UPDATE review_candidates SET admins_told_at = now() WHERE claim = 'secret' AND discussion_id IS NOT NULL;
CREATE INDEX review_candidates_secrets ON review_candidates (discussion_id) WHERE claim = 'secret' AND discussion_id IS NOT NULL;
CREATE INDEX review_candidates_untold ON review_candidates (discussion_id)
  WHERE claim = 'secret' AND discussion_id IS NOT NULL AND admins_told_at IS NULL;
