-- Connecting code hosts: what works, which repositories are added, who can read them, and whose accounts are linked.

ALTER TABLE code_hosts
  -- What the credential lacks, as the host said when it was last checked.
  ADD COLUMN missing jsonb,
  ADD COLUMN version text,
  ADD COLUMN checked_at timestamptz,
  -- A GitHub App's page, where it is installed.
  ADD COLUMN app_url text,
  -- The OAuth application that members sign in with to link their accounts. The secret is encrypted.
  ADD COLUMN sign_in_client_id text,
  ADD COLUMN sign_in_secret bytea,
  -- When the list of repositories was last read to its end.
  ADD COLUMN repositories_listed_at timestamptz,
  -- When the host is looked at again; null: now. Its credential, its repositories, who can read them.
  ADD COLUMN next_look_at timestamptz,
  ADD COLUMN look_queued_at timestamptz,
  ADD CHECK ((sign_in_client_id IS NULL) = (sign_in_secret IS NULL));
CREATE INDEX code_hosts_next_look ON code_hosts (next_look_at);

-- Who decides who sees a repository. `host`: it follows who can read it on its code host.
ALTER TABLE repositories
  ADD COLUMN visibility_from text NOT NULL DEFAULT 'admin' CHECK (visibility_from IN ('admin', 'host'));

ALTER TABLE code_host_repositories
  -- When its readers were last read, and why they can't be.
  ADD COLUMN access_read_at timestamptz,
  ADD COLUMN access_problem text,
  -- `unneeded`: the host sends events of all repositories.
  ADD COLUMN webhook_state text CHECK (webhook_state IN ('created', 'unneeded', 'failed')),
  ADD COLUMN webhook_problem text,
  ADD COLUMN webhook_tried_at timestamptz;
CREATE INDEX code_host_repositories_access ON code_host_repositories (code_host_id, access_read_at);

-- Accounts that can read a private repository, as the host last said.
CREATE TABLE code_host_readers (
  repository_id uuid NOT NULL REFERENCES code_host_repositories (repository_id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES host_accounts (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  PRIMARY KEY (repository_id, account_id)
);
CREATE INDEX code_host_readers_account ON code_host_readers (account_id);

-- Repositories to add by pattern; `*` stands for any characters.
CREATE TABLE code_host_selections (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  code_host_id uuid NOT NULL REFERENCES code_hosts (id) ON DELETE CASCADE,
  pattern text NOT NULL,
  -- Repositories that are created later are added too.
  include_new boolean NOT NULL,
  created_by uuid REFERENCES users (id),
  created_at timestamptz NOT NULL,
  -- When all repositories that existed then were looked at.
  finished_at timestamptz,
  added_count integer NOT NULL DEFAULT 0,
  problem text,
  UNIQUE (code_host_id, pattern)
);

-- People who were sent to a code host and are expected back: to create a GitHub App, or to link their account.
CREATE TABLE code_host_visits (
  state_hash bytea PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  user_id uuid NOT NULL REFERENCES users (id),
  kind text NOT NULL CHECK (kind IN ('github_app', 'account')),
  -- The host that is being connected does not exist yet.
  code_host_id uuid NOT NULL,
  url text NOT NULL,
  -- PKCE; encrypted.
  code_verifier bytea,
  expires_at timestamptz NOT NULL
);
CREATE INDEX code_host_visits_expiry ON code_host_visits (expires_at);
