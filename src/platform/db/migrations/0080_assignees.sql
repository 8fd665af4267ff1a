-- Who works on a pull request of plain git, as its page says.
CREATE TABLE pull_request_assignees (
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users (id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  assigned_at timestamptz NOT NULL,
  PRIMARY KEY (pull_request_id, user_id)
);
CREATE INDEX pull_request_assignees_user ON pull_request_assignees (organization_id, user_id);

-- For lists of one label.
CREATE INDEX pull_requests_labels ON pull_requests USING gin (labels) WHERE labels <> '{}';

-- One more kind, beside those that earlier migrations allow.
DO $$ BEGIN
  EXECUTE (SELECT 'ALTER TABLE inbox_items DROP CONSTRAINT inbox_items_kind_check, ADD CONSTRAINT inbox_items_kind_check '
      || replace(pg_get_constraintdef(oid), $kind$'merged'::text$kind$, $kind$'merged'::text, 'assigned'::text$kind$)
    FROM pg_constraint WHERE conname = 'inbox_items_kind_check' AND conrelid = 'inbox_items'::regclass);
END $$;
