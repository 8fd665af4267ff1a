-- How code hosts are reached, and what of them is kept in step. Times that decide when work is done are PostgreSQL's own.

ALTER TABLE code_hosts
  -- Null: the host name of its URL.
  ADD COLUMN name text,
  -- Sealed with the operator's secret; null for one that nobody gave a credential yet.
  ADD COLUMN credential_kind text CHECK (credential_kind IN ('token', 'app')),
  ADD COLUMN credential bytea,
  ADD COLUMN webhook_secret bytea,
  -- Who the service is on the host, as it said when it was last asked.
  ADD COLUMN account_id text,
  ADD COLUMN account_login text,
  ADD COLUMN credential_expires_at timestamptz,
  -- `unauthorized`: the credential was refused, and nothing is done until it is replaced.
  ADD COLUMN state text NOT NULL DEFAULT 'working'
    CHECK (state IN ('working', 'rate_limited', 'unreachable', 'unauthorized')),
  ADD COLUMN problem text,
  ADD COLUMN problem_at timestamptz,
  -- Failures since the host last answered.
  ADD COLUMN failures integer NOT NULL DEFAULT 0,
  -- The host is left alone until then.
  ADD COLUMN paused_until timestamptz,
  -- When the newest verified webhook arrived, to the minute.
  ADD COLUMN webhook_seen_at timestamptz,
  -- When a webhook last said that its repositories, or who can read them, have changed.
  ADD COLUMN repositories_asked_at timestamptz,
  ADD COLUMN access_asked_at timestamptz,
  ADD CHECK ((credential IS NULL) = (credential_kind IS NULL));

-- Repositories that are kept in step with a code host (repositories.code_host_id says the same).
CREATE TABLE code_host_repositories (
  repository_id uuid PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  code_host_id uuid NOT NULL REFERENCES code_hosts (id) ON DELETE CASCADE,
  -- The host's own ID, which stays when the repository is renamed there.
  host_repository_id text NOT NULL,
  full_name text NOT NULL,
  folded_full_name text GENERATED ALWAYS AS (lower(full_name)) STORED,
  is_private boolean NOT NULL,
  connected_at timestamptz NOT NULL,
  -- Importing lists the open pull requests first, then all of them. The cursor is the page to read next.
  import_step text NOT NULL DEFAULT 'open' CHECK (import_step IN ('open', 'all', 'done')),
  import_cursor text,
  imported_count integer NOT NULL DEFAULT 0,
  -- How many there are as far as it is known: the highest number seen.
  import_total integer NOT NULL DEFAULT 0,
  imported_at timestamptz,
  -- Listing what changed: everything that the host changed before `seen_until` (by the host's clock) is known.
  seen_until timestamptz,
  etag text,
  listed_at timestamptz,
  next_list_at timestamptz DEFAULT clock_timestamp(),
  asked_at timestamptz,
  queued_at timestamptz,
  claim uuid,
  started_at timestamptz,
  busy_until timestamptz,
  failures integer NOT NULL DEFAULT 0,
  problem text,
  problem_at timestamptz,
  -- When a webhook about it last arrived, to the minute.
  webhook_seen_at timestamptz,
  -- When a webhook last said that who can read it has changed.
  access_asked_at timestamptz,
  UNIQUE (code_host_id, host_repository_id)
);
CREATE INDEX code_host_repositories_name ON code_host_repositories (code_host_id, folded_full_name);
CREATE INDEX code_host_repositories_due ON code_host_repositories (next_list_at) WHERE next_list_at IS NOT NULL;

-- When each pull request of a host is read again. One that a webhook names may not be known yet.
CREATE TABLE pull_request_syncs (
  repository_id uuid NOT NULL REFERENCES code_host_repositories (repository_id) ON DELETE CASCADE,
  number integer NOT NULL CHECK (number >= 1),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  code_host_id uuid NOT NULL REFERENCES code_hosts (id) ON DELETE CASCADE,
  -- 2: something happened; 1: an open one that is imported or looked at again; 0: a closed one.
  priority smallint NOT NULL,
  -- Null: when something happens.
  due_at timestamptz,
  asked_at timestamptz NOT NULL,
  queued_at timestamptz,
  claim uuid,
  started_at timestamptz,
  busy_until timestamptz,
  failures integer NOT NULL DEFAULT 0,
  problem text,
  synced_at timestamptz,
  -- The host's time of its last change when it was read; later ones in a list are read again.
  host_updated_at timestamptz,
  PRIMARY KEY (repository_id, number)
) WITH (fillfactor = 75);
CREATE INDEX pull_request_syncs_due ON pull_request_syncs (code_host_id, priority DESC, due_at)
  WHERE due_at IS NOT NULL;
CREATE INDEX pull_request_syncs_queued ON pull_request_syncs (code_host_id) WHERE queued_at IS NOT NULL;

-- What was written here and has to reach a host.
CREATE INDEX pull_request_comments_waiting ON pull_request_comments (pull_request_id) WHERE sending = 'waiting';
CREATE INDEX pull_request_verdicts_waiting ON pull_request_verdicts (pull_request_id) WHERE sending = 'waiting';
CREATE INDEX discussions_waiting ON discussions (pull_request_id) WHERE sending = 'waiting';
