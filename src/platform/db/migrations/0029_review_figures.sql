-- Figures of an organization's reviews over time.
CREATE INDEX review_runs_organization ON review_runs (organization_id, started_at);
CREATE INDEX reviewers_organization ON reviewers (organization_id);
