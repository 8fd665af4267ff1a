-- The list of pull requests is searched by any part of the title or branch. Servers without pg_trgm, or where it may not be created,
-- read all titles of the organization instead.

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE INDEX pull_requests_text ON pull_requests USING gin (lower(title) gin_trgm_ops, lower(head_branch) gin_trgm_ops);
  END IF;
EXCEPTION WHEN insufficient_privilege OR undefined_object THEN
  RAISE NOTICE 'pg_trgm is not available: %', SQLERRM;
END $$;
CREATE INDEX pull_requests_number ON pull_requests (organization_id, number);
