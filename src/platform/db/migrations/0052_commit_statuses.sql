-- What CI and other tools say about commits, set here or on the code host. The last one of a name counts.
CREATE TABLE commit_statuses (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  commit text NOT NULL,
  name text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'success', 'failure', 'error')),
  description text NOT NULL,
  url text,
  -- How it was set: `host` is the code host, `oauth` an agent that a person signed in.
  set_with text NOT NULL CHECK (set_with IN ('key', 'session', 'oauth', 'host')),
  user_id uuid REFERENCES users (id),
  -- Of the API key, which may be deleted.
  key_name text,
  -- The login of the account on the code host; null if the host doesn't say it.
  account_login text,
  updated_at timestamptz NOT NULL,
  CHECK ((set_with = 'host') = (user_id IS NULL)),
  UNIQUE (repository_id, commit, name)
);
CREATE INDEX commit_statuses_organization ON commit_statuses (organization_id);
CREATE INDEX commit_statuses_user ON commit_statuses (user_id);
CREATE INDEX pull_requests_active_head ON pull_requests (repository_id, head_commit) WHERE state IN ('open', 'draft');
