-- Checks whose findings were dismissed as wrong twice are paused in a repository.
CREATE INDEX finding_decisions_wrong ON finding_decisions (repository_id, created_at) WHERE reason = 'wrong';
