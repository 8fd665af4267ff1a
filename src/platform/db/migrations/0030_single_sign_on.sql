-- Single sign-on: the provider of each organization, who people are there, and access that ends when the provider says so.

-- Set together with the settings below: people sign in to this organization through its provider only.
ALTER TABLE organizations ADD COLUMN single_sign_on_only boolean NOT NULL DEFAULT false;

-- Suspended by the provider's answer: no credential works until the person signs in there again.
ALTER TABLE memberships
  ADD COLUMN suspended_at timestamptz,
  -- Until then, an account at the provider with the same verified email address may be linked.
  ADD COLUMN identity_link_until timestamptz;

CREATE TABLE single_sign_on (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id),
  issuer text NOT NULL,
  client_id text NOT NULL,
  -- Encrypted with the operator's secret.
  client_secret bytea NOT NULL,
  name text NOT NULL,
  enabled boolean NOT NULL,
  allowed_domains text[] NOT NULL,
  new_members text NOT NULL CHECK (new_members IN ('first_sign_in', 'invitation')),
  -- Null: people without a mapped group are refused.
  default_role text CHECK (default_role IN ('viewer', 'member', 'admin')),
  role_claim text NOT NULL,
  role_rules jsonb NOT NULL,
  password_sign_in boolean NOT NULL,
  recheck_minutes integer NOT NULL,
  sign_in_hours integer NOT NULL,
  -- By the command on the host; wins over everything else.
  switched_off_at timestamptz,
  updated_at timestamptz NOT NULL
);

CREATE TABLE single_sign_on_identities (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  email text NOT NULL,
  -- Encrypted; null when the provider gave none, or refused it.
  refresh_token bytea,
  -- The last time the provider confirmed the person.
  confirmed_at timestamptz NOT NULL,
  next_check_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  last_sign_in_at timestamptz NOT NULL,
  FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id),
  UNIQUE (organization_id, issuer, subject),
  UNIQUE (organization_id, user_id)
);
CREATE INDEX single_sign_on_identities_due ON single_sign_on_identities (next_check_at);

-- People who were sent to the provider and are expected back, in the same browser.
CREATE TABLE single_sign_on_redirects (
  state_hash bytea PRIMARY KEY,
  browser_hash bytea NOT NULL,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  -- Someone signed in who links their account; null when somebody signs in.
  user_id uuid REFERENCES users (id),
  -- The code verifier, the nonce and the issuer, encrypted.
  secrets bytea NOT NULL,
  return_to text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX single_sign_on_redirects_expiry ON single_sign_on_redirects (expires_at);

-- Logout tokens that were used; each works once.
CREATE TABLE single_sign_on_logouts (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  token_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, token_hash)
);
CREATE INDEX single_sign_on_logouts_expiry ON single_sign_on_logouts (expires_at);

ALTER TABLE sessions
  -- The identity that the session was started with; null for a password.
  ADD COLUMN identity_id uuid REFERENCES single_sign_on_identities (id) ON DELETE CASCADE,
  -- The provider's own session id, named in logout tokens.
  ADD COLUMN provider_session text;
CREATE INDEX sessions_identity ON sessions (identity_id) WHERE identity_id IS NOT NULL;
