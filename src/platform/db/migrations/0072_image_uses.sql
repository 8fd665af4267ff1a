-- The texts that show each image. Kept by the database, so that every writer of texts keeps it, also a node of the version before.
CREATE TABLE image_uses (
  image_id uuid NOT NULL REFERENCES images (id) ON DELETE CASCADE,
  -- The table and row of the text; for an earlier text of a comment, the comment and which one.
  kind text NOT NULL,
  source_id uuid NOT NULL,
  position integer NOT NULL,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  -- Whoever can read this can read the text.
  pull_request_id uuid REFERENCES pull_requests (id) ON DELETE CASCADE,
  plan_id uuid REFERENCES plans (id) ON DELETE CASCADE,
  PRIMARY KEY (image_id, kind, source_id, position),
  CHECK ((pull_request_id IS NULL) <> (plan_id IS NULL))
);
CREATE INDEX image_uses_source ON image_uses (source_id, kind, position);
CREATE INDEX image_uses_organization ON image_uses (organization_id);
CREATE INDEX image_uses_pull_request ON image_uses (pull_request_id) WHERE pull_request_id IS NOT NULL;
CREATE INDEX image_uses_plan ON image_uses (plan_id) WHERE plan_id IS NOT NULL;

-- Whether a text has ever shown it. Until then, only who uploaded it sees it.
ALTER TABLE images ADD COLUMN was_shown boolean NOT NULL DEFAULT false;
-- An image stays when the pull request or plan that it was uploaded for is gone, if another text shows it.
ALTER TABLE images DROP CONSTRAINT images_pull_request_id_fkey, DROP CONSTRAINT images_plan_id_fkey;

-- An image that is being deleted is locked: then this waits, and doesn't find it.
CREATE FUNCTION note_images_of(kind text, text_row jsonb, text_column text, id_column text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  shown uuid[];
BEGIN
  SELECT array_agg(i.id) INTO shown FROM (
    SELECT id FROM images WHERE organization_id = (text_row ->> 'organization_id')::uuid AND id IN (
      SELECT address[1]::uuid FROM regexp_matches(lower(text_row ->> text_column),
        '/api/v2/images/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})', 'g') AS address)
    ORDER BY id FOR KEY SHARE
  ) AS i;
  IF shown IS NULL THEN RETURN; END IF;
  UPDATE images SET was_shown = true WHERE id = ANY (shown) AND NOT was_shown;
  INSERT INTO image_uses
  SELECT image_id, kind, (text_row ->> id_column)::uuid, coalesce((text_row ->> 'position')::integer, 0),
    (text_row ->> 'organization_id')::uuid,
    CASE kind
      WHEN 'pull_requests' THEN (text_row ->> 'id')::uuid
      WHEN 'comment_edits' THEN (SELECT c.pull_request_id FROM pull_request_comments c WHERE c.id = (text_row ->> 'comment_id')::uuid)
      ELSE (text_row ->> 'pull_request_id')::uuid
    END,
    (text_row ->> 'plan_id')::uuid
  FROM unnest(shown) AS image_id
  ON CONFLICT DO NOTHING;
END $$;

CREATE FUNCTION note_images() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM image_uses WHERE kind = TG_TABLE_NAME AND source_id = (to_jsonb(OLD) ->> TG_ARGV[1])::uuid
      AND position = coalesce((to_jsonb(OLD) ->> 'position')::integer, 0);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM note_images_of(TG_TABLE_NAME::text, to_jsonb(NEW), TG_ARGV[0], TG_ARGV[1]);
  END IF;
  RETURN NULL;
END $$;

DO $$
DECLARE
  place text[];
  address text := '%/api/v2/images/%';
BEGIN
  FOREACH place SLICE 1 IN ARRAY ARRAY[
    ['pull_request_comments', 'body', 'id'], ['comment_edits', 'body', 'comment_id'], ['pending_comments', 'body', 'id'],
    ['pull_request_verdicts', 'note', 'id'], ['pull_requests', 'description', 'id'],
    ['plan_comments', 'body', 'id'], ['plan_versions', 'content', 'id']]
  LOOP
    EXECUTE format('CREATE TRIGGER note_images_of_new AFTER INSERT ON %1$I FOR EACH ROW
      WHEN (NEW.%2$I LIKE %4$L) EXECUTE FUNCTION note_images(%2$L, %3$L)', place[1], place[2], place[3], address);
    EXECUTE format('CREATE TRIGGER note_images_of_changed AFTER UPDATE OF %2$I ON %1$I FOR EACH ROW
      WHEN (OLD.%2$I IS DISTINCT FROM NEW.%2$I AND (OLD.%2$I LIKE %4$L OR NEW.%2$I LIKE %4$L))
      EXECUTE FUNCTION note_images(%2$L, %3$L)', place[1], place[2], place[3], address);
    EXECUTE format('CREATE TRIGGER note_images_of_gone AFTER DELETE ON %1$I FOR EACH ROW
      WHEN (OLD.%2$I LIKE %4$L) EXECUTE FUNCTION note_images(%2$L, %3$L)', place[1], place[2], place[3], address);
    EXECUTE format('SELECT note_images_of(%1$L, to_jsonb(t), %2$L, %3$L) FROM %1$I t WHERE %2$I LIKE %4$L',
      place[1], place[2], place[3], address);
  END LOOP;
END $$;
