-- Dismissals that cover a file or a symbol, and findings that are nearly the same.
ALTER TABLE finding_decisions
  DROP CONSTRAINT finding_decisions_scope_check,
  ADD CONSTRAINT finding_decisions_scope_check CHECK (scope IN ('pull_request', 'path', 'symbol', 'repository', 'organization')),
  -- What was dismissed; null only for what the version before wrote meanwhile.
  ADD COLUMN check_name text,
  ADD COLUMN claim text,
  ADD COLUMN subject text,
  ADD COLUMN path text,
  ADD COLUMN quote text;
UPDATE finding_decisions f SET check_name = c.check_name, claim = c.claim, subject = c.subject, path = c.file, quote = c.quote
  FROM review_candidates c WHERE c.discussion_id = f.discussion_id AND c.fate = 'finding';
CREATE INDEX finding_decisions_check ON finding_decisions (organization_id, check_name, created_at);
-- Open findings of a repository: what a dismissal would hide.
CREATE INDEX discussions_open_findings ON discussions (repository_id) WHERE status = 'open' AND reviewer_id IS NOT NULL;
