-- The newest scheduled backup: when it was queued, and what came of it.
CREATE TABLE latest_backup (
  only_row boolean PRIMARY KEY CHECK (only_row),
  queued_at timestamptz NOT NULL,
  finished_at timestamptz,
  file text,
  bytes bigint,
  problem text
);
