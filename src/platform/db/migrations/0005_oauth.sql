-- What the OAuth server remembers: agents that registered, requests to sign in, grants, codes and tokens.
-- No code, token or client secret stands here, only the SHA-256 of what each record is found by.

CREATE TABLE oauth_records (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (
    kind IN ('Client', 'Interaction', 'Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken')
  ),
  key_hash bytea NOT NULL UNIQUE,
  payload jsonb NOT NULL,
  -- Codes, tokens and the answered request of a grant end with it.
  grant_id uuid REFERENCES oauth_records (id) ON DELETE CASCADE,
  -- Of a grant: whom the agent acts for. Of a request to sign in: who answered it, and in which session.
  organization_id uuid,
  user_id uuid,
  session_id uuid,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  last_used_at timestamptz,
  FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id),
  CHECK (kind <> 'Grant' OR (organization_id IS NOT NULL AND user_id IS NOT NULL)),
  CHECK (kind NOT IN ('AuthorizationCode', 'AccessToken', 'RefreshToken') OR grant_id IS NOT NULL)
);
CREATE INDEX oauth_records_grant ON oauth_records (grant_id, kind);
CREATE INDEX oauth_records_user ON oauth_records (organization_id, user_id, id) WHERE kind = 'Grant';
CREATE INDEX oauth_records_expiry ON oauth_records (expires_at);
