-- Merges that a person asked for in advance: each begins once nothing is missing, and only for the head that the person saw.
CREATE TABLE waiting_merges (
  id uuid PRIMARY KEY,
  pull_request_id uuid NOT NULL UNIQUE REFERENCES pull_requests (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  user_id uuid NOT NULL REFERENCES users (id),
  head_commit text NOT NULL,
  base_branch text NOT NULL,
  method text NOT NULL CHECK (method IN ('merge', 'squash', 'rebase')),
  -- Null: the default at the time of the merge.
  message text,
  delete_branch boolean NOT NULL,
  since timestamptz NOT NULL,
  -- What the pull request was like when the merge rule was last evaluated, and when that was.
  looked_event bigint,
  looked_commits text,
  looked_at timestamptz,
  queued_at timestamptz,
  -- After a push that could not be sent or came too late.
  retry_at timestamptz
);
CREATE INDEX waiting_merges_organization ON waiting_merges (organization_id);
CREATE INDEX waiting_merges_user ON waiting_merges (user_id);

-- One more kind, beside those that earlier migrations allow.
DO $$ BEGIN
  EXECUTE (SELECT 'ALTER TABLE inbox_items DROP CONSTRAINT inbox_items_kind_check, ADD CONSTRAINT inbox_items_kind_check '
      || replace(pg_get_constraintdef(oid), $kind$'merged'::text$kind$, $kind$'merged'::text, 'merge_stopped'::text$kind$)
    FROM pg_constraint WHERE conname = 'inbox_items_kind_check' AND conrelid = 'inbox_items'::regclass);
END $$;
