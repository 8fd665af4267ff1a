-- Statuses of commits are also read alone, because CI says more in an hour than people say in a day.
ALTER TABLE pull_request_syncs
  -- When a webhook last said that a status of its newest head changed.
  ADD COLUMN statuses_asked_at timestamptz,
  -- When everything is to be read again; `due_at` can be earlier, for the statuses alone.
  ADD COLUMN full_due_at timestamptz,
  -- What the sync reads that is under way.
  ADD COLUMN statuses_only boolean NOT NULL DEFAULT false;

ALTER TABLE code_host_repositories
  -- Why statuses, or some of them, can't be read.
  ADD COLUMN statuses_problem text,
  -- Which version of the list of events its webhook was created for: an outdated one is corrected.
  ADD COLUMN webhook_events smallint NOT NULL DEFAULT 0;
