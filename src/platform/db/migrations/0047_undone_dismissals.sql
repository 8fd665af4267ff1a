-- Dismissals that were undone. The rows stay: a 👎 on a code host counts only once.
ALTER TABLE finding_decisions ADD COLUMN undone_at timestamptz;
CREATE INDEX finding_decisions_in_force ON finding_decisions (organization_id, created_at, id) WHERE undone_at IS NULL;
