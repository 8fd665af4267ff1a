-- Organizations, the people in them, how they sign in, and the keys their scripts carry.
-- Every row belongs to an organization, except users (a person may belong to several) and what guards sign-in.

CREATE TABLE organizations (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  name text NOT NULL,
  password_hash text NOT NULL,
  created_at timestamptz NOT NULL,
  password_changed_at timestamptz NOT NULL
);

CREATE TABLE memberships (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  user_id uuid NOT NULL REFERENCES users (id),
  role text NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
  created_at timestamptz NOT NULL,
  deactivated_at timestamptz,
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX memberships_user ON memberships (user_id);

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  user_agent text,
  address text NOT NULL,
  FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id)
);
CREATE INDEX sessions_user ON sessions (user_id, organization_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  last_four text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz,
  FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id)
);
CREATE INDEX api_keys_user ON api_keys (organization_id, user_id, id);

CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  token_hash bytea NOT NULL UNIQUE,
  email text NOT NULL CHECK (email = lower(email)),
  role text NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
  invited_by uuid NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX invitations_organization ON invitations (organization_id, id);

-- The links printed at the start of a service that nobody has set up yet.
CREATE TABLE setup_links (
  token_hash bytea PRIMARY KEY,
  created_at timestamptz NOT NULL
);

-- Failed sign-ins in the current window, by account and by network.
CREATE TABLE sign_in_attempts (
  bucket text PRIMARY KEY,
  attempts integer NOT NULL,
  window_ends_at timestamptz NOT NULL
);
CREATE INDEX sign_in_attempts_expiry ON sign_in_attempts (window_ends_at);

CREATE TABLE audit_events (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  created_at timestamptz NOT NULL,
  action text NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('key', 'session', 'oauth', 'operator', 'anonymous')),
  actor_user_id uuid REFERENCES users (id),
  subject_id uuid,
  subject_name text,
  detail jsonb NOT NULL,
  address text,
  request_id text
);
CREATE INDEX audit_events_organization ON audit_events (organization_id, created_at, id);
CREATE INDEX audit_events_action ON audit_events (organization_id, action, created_at, id);
CREATE INDEX audit_events_actor ON audit_events (organization_id, actor_user_id, created_at, id);

-- The first successful reply to a request that carried an Idempotency-Key, kept for a day.
CREATE TABLE idempotent_replies (
  fingerprint bytea PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  body_hash bytea NOT NULL,
  status smallint NOT NULL,
  reply text,
  created_at timestamptz NOT NULL
);
CREATE INDEX idempotent_replies_age ON idempotent_replies (created_at);
