-- Webhooks of chats: their address is the secret, so `url` has only its beginning and `sealed_url` all of it. Without a
-- foreign key: a webhook of a deleted repository receives nothing.
ALTER TABLE webhooks
  ADD COLUMN format text NOT NULL DEFAULT 'json' CHECK (format IN ('json', 'slack', 'mattermost')),
  ADD COLUMN repository_id uuid,
  ADD COLUMN sealed_url bytea;
