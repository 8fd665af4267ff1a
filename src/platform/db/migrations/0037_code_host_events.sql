-- Admins are told in their inbox when a code host refuses its credential.

ALTER TABLE events DROP CONSTRAINT events_subject_kind_check;
ALTER TABLE events ADD CONSTRAINT events_subject_kind_check
  CHECK (subject_kind IN ('plan', 'pull_request', 'code_host'));
ALTER TABLE event_outbox DROP CONSTRAINT event_outbox_subject_kind_check;
ALTER TABLE event_outbox ADD CONSTRAINT event_outbox_subject_kind_check
  CHECK (subject_kind IN ('plan', 'pull_request', 'code_host'));
ALTER TABLE inbox_items DROP CONSTRAINT inbox_items_subject_kind_check;
ALTER TABLE inbox_items ADD CONSTRAINT inbox_items_subject_kind_check
  CHECK (subject_kind IN ('plan', 'pull_request', 'code_host'));
ALTER TABLE inbox_items DROP CONSTRAINT inbox_items_kind_check;
ALTER TABLE inbox_items ADD CONSTRAINT inbox_items_kind_check CHECK (kind IN ('comment', 'reply', 'review_requested',
  'approved', 'changes_requested', 'new_version', 'new_commits', 'merged', 'closed', 'credential_refused'));

ALTER TABLE code_hosts ADD COLUMN last_event bigint NOT NULL DEFAULT 0;
