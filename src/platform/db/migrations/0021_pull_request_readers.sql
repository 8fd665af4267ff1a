-- Muted pull requests, a plain name for the head that a person last looked at, and plans that wait for a repository.

ALTER TABLE pull_request_visits RENAME TO pull_request_last_seen_heads;
ALTER TABLE pull_request_last_seen_heads RENAME COLUMN visited_at TO seen_at;
ALTER TABLE pull_request_last_seen_heads RENAME CONSTRAINT pull_request_visits_pkey TO pull_request_last_seen_heads_pkey;
ALTER TABLE pull_request_last_seen_heads
  RENAME CONSTRAINT pull_request_visits_user_id_fkey TO pull_request_last_seen_heads_user_id_fkey;
ALTER TABLE pull_request_last_seen_heads
  RENAME CONSTRAINT pull_request_visits_pull_request_id_fkey TO pull_request_last_seen_heads_pull_request_id_fkey;
ALTER TABLE pull_request_last_seen_heads
  RENAME CONSTRAINT pull_request_visits_organization_id_fkey TO pull_request_last_seen_heads_organization_id_fkey;

-- What happens there doesn't appear in the inbox of this person.
CREATE TABLE pull_request_mutes (
  user_id uuid NOT NULL REFERENCES users (id),
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, pull_request_id)
);

-- Links to a repository that isn't known yet, by its name.
CREATE INDEX plan_pull_requests_unattached ON plan_pull_requests (organization_id, lower(repository_name))
  WHERE repository_id IS NULL;
