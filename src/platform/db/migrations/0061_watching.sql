-- Members and teams that watch a repository, or some paths in it. Nobody does unless they choose to.
CREATE TABLE watches (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  user_id uuid REFERENCES users (id),
  -- Instead of a member.
  team_id uuid REFERENCES teams (id) ON DELETE CASCADE,
  -- Globs; none: everything.
  paths text[] NOT NULL,
  -- Nobody is told of what was opened before.
  since timestamptz NOT NULL
);
CREATE UNIQUE INDEX watches_of_user ON watches (repository_id, user_id) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX watches_of_team ON watches (repository_id, team_id) WHERE team_id IS NOT NULL;
CREATE INDEX watches_repository ON watches (repository_id);
CREATE INDEX watches_user ON watches (organization_id, user_id);
CREATE INDEX watches_team ON watches (team_id) WHERE team_id IS NOT NULL;

-- The head that was compared with what people watch.
ALTER TABLE pull_requests ADD COLUMN watched_head text;
UPDATE pull_requests SET watched_head = head_commit WHERE state IN ('open', 'draft');
CREATE INDEX pull_requests_watched_due ON pull_requests (id)
  WHERE state = 'open' AND owners_head = head_commit AND watched_head IS DISTINCT FROM head_commit;

DO $$ BEGIN
  EXECUTE (SELECT 'ALTER TABLE inbox_items DROP CONSTRAINT inbox_items_kind_check, ADD CONSTRAINT inbox_items_kind_check '
      || replace(pg_get_constraintdef(oid), $kind$'closed'::text$kind$, $kind$'closed'::text, 'watched'::text, 'team_watched'::text$kind$)
    FROM pg_constraint WHERE conname = 'inbox_items_kind_check' AND conrelid = 'inbox_items'::regclass);
END $$;

ALTER TABLE mail_settings ADD COLUMN watching text NOT NULL DEFAULT 'daily' CHECK (watching IN ('off', 'now', 'daily'));
