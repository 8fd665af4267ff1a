-- Lists of pull requests, repositories that are connected to a code host, and notifications of pull requests.

-- Null: plain git, where pull requests are opened here.
ALTER TABLE repositories ADD COLUMN code_host_id uuid REFERENCES code_hosts (id) ON DELETE SET NULL;
CREATE INDEX repositories_code_host ON repositories (code_host_id) WHERE code_host_id IS NOT NULL;

CREATE INDEX pull_requests_active ON pull_requests (organization_id, updated_at, id) WHERE state IN ('open', 'draft');
CREATE INDEX pull_requests_repository ON pull_requests (repository_id, updated_at, id);
CREATE INDEX pull_requests_active_of_repository ON pull_requests (repository_id, updated_at, id)
  WHERE state IN ('open', 'draft');
CREATE INDEX pull_requests_active_of_author ON pull_requests (organization_id, author_user_id)
  WHERE state IN ('open', 'draft') AND author_user_id IS NOT NULL;
CREATE INDEX pull_requests_active_of_account ON pull_requests (author_account_id)
  WHERE state IN ('open', 'draft') AND author_account_id IS NOT NULL;
-- Those whose branches are followed.
CREATE INDEX pull_requests_plain_git ON pull_requests (id) WHERE origin = 'git' AND state IN ('open', 'draft');
CREATE INDEX pull_requests_account ON pull_requests (author_account_id, updated_at, id)
  WHERE author_account_id IS NOT NULL;
CREATE INDEX pull_request_review_requests_account ON pull_request_review_requests (account_id)
  WHERE account_id IS NOT NULL;

ALTER TABLE inbox_items DROP CONSTRAINT inbox_items_kind_check;
ALTER TABLE inbox_items ADD CONSTRAINT inbox_items_kind_check CHECK (kind IN ('comment', 'reply', 'review_requested',
  'approved', 'changes_requested', 'new_version', 'new_commits', 'merged', 'closed'));

-- Events have no foreign key to their subject, and pull requests are deleted together with their repository.
CREATE INDEX inbox_items_event ON inbox_items (subject_id, event_number);
CREATE FUNCTION delete_events_of_pull_requests() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- First the row that the worker holds while it notifies people, so that the inbox gets no items afterwards.
  DELETE FROM event_outbox WHERE subject_id IN (SELECT id FROM gone);
  DELETE FROM inbox_items WHERE subject_id IN (SELECT id FROM gone);
  DELETE FROM events WHERE subject_id IN (SELECT id FROM gone);
  RETURN NULL;
END $$;
CREATE TRIGGER delete_events AFTER DELETE ON pull_requests REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION delete_events_of_pull_requests();
