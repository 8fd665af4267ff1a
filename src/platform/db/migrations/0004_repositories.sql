-- Repositories that are cloned and searched: where they come from, what is known of them, and who sees them.

-- The fingerprint of the secret that everything sealed in this database was sealed with; one row at most.
CREATE TABLE service_secret (
  only_row boolean PRIMARY KEY CHECK (only_row),
  fingerprint bytea NOT NULL,
  created_at timestamptz NOT NULL
);

-- Times that decide who works on a repository and when are PostgreSQL's own, so that nodes need not agree on the time.
ALTER TABLE repositories
  -- Null for one that nobody said where to fetch from.
  ADD COLUMN url text,
  -- The operator added it on the host: it may lie on this machine or in a private network.
  ADD COLUMN added_by_operator boolean NOT NULL DEFAULT false,
  ADD COLUMN credential_kind text NOT NULL DEFAULT 'none' CHECK (credential_kind IN ('none', 'password', 'ssh_key')),
  -- Sealed with the operator's secret.
  ADD COLUMN credential bytea,
  ADD COLUMN push_token bytea,
  ADD COLUMN visibility text NOT NULL DEFAULT 'organization' CHECK (visibility IN ('organization', 'members')),
  ADD COLUMN state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'cloning', 'ready', 'failed')),
  ADD COLUMN object_format text CHECK (object_format IN ('sha1', 'sha256')),
  ADD COLUMN default_branch text,
  ADD COLUMN branch_count integer NOT NULL DEFAULT 0,
  ADD COLUMN tag_count integer NOT NULL DEFAULT 0,
  -- Of all its refs: most refreshes find nothing new, and need not compare them.
  ADD COLUMN refs_digest bytea,
  ADD COLUMN refreshed_at timestamptz,
  -- Why the newest attempt failed, and how many failed since the last one that did not.
  ADD COLUMN problem text,
  ADD COLUMN problem_at timestamptz,
  ADD COLUMN failures integer NOT NULL DEFAULT 0,
  ADD COLUMN next_refresh_at timestamptz,
  -- When someone, or a push, last asked for a refresh.
  ADD COLUMN refresh_asked_at timestamptz,
  -- When a job for it was handed to the queue; null once that has begun.
  ADD COLUMN refresh_queued_at timestamptz,
  -- Who refreshes it now, since when, and how far that is. Past busy_until nobody does, whatever stands here.
  ADD COLUMN refresh_token uuid,
  ADD COLUMN refresh_started_at timestamptz,
  ADD COLUMN busy_until timestamptz,
  ADD COLUMN activity jsonb,
  -- Null: as it was added.
  ADD COLUMN updated_at timestamptz;
CREATE INDEX repositories_due ON repositories (next_refresh_at) WHERE next_refresh_at IS NOT NULL;

-- Branches and tags as the origin had them at the newest refresh: names are looked up here, never in a node's mirror.
-- Bytes decide the order and what is equal, as in git.
CREATE TABLE repository_refs (
  repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('branch', 'tag')),
  name text COLLATE "C" NOT NULL,
  organization_id uuid NOT NULL,
  commit text NOT NULL,
  PRIMARY KEY (repository_id, kind, name)
);

-- Who sees a repository that is not visible to the whole organization, besides admins and owners.
CREATE TABLE repository_members (
  repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  user_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  PRIMARY KEY (repository_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id)
);

-- A plan outlives its repositories, and keeps their names.
ALTER TABLE plan_version_repositories
  DROP CONSTRAINT plan_version_repositories_repository_id_fkey,
  ADD FOREIGN KEY (repository_id) REFERENCES repositories (id) ON DELETE SET NULL;
ALTER TABLE plan_pull_requests
  DROP CONSTRAINT plan_pull_requests_repository_id_fkey,
  ADD FOREIGN KEY (repository_id) REFERENCES repositories (id) ON DELETE SET NULL;
CREATE INDEX plan_pull_requests_repository ON plan_pull_requests (repository_id) WHERE repository_id IS NOT NULL;

-- What a repository that becomes known is looked for by: plans that name it, and versions without its newest commit.
CREATE INDEX plan_version_repositories_unlinked ON plan_version_repositories (organization_id, folded_leaf)
  WHERE repository_id IS NULL;
CREATE INDEX plan_version_repositories_headless ON plan_version_repositories (repository_id)
  WHERE repository_id IS NOT NULL AND head_commit IS NULL;
