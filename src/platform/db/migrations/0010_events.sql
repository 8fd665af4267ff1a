-- One event log for everything that people follow: a plan, and later a pull request. Only names change and columns with a
-- constant default are added, so no table is rewritten. A subject has no foreign key, because it can be in several tables.
ALTER TABLE plan_events RENAME TO events;
ALTER TABLE events RENAME COLUMN plan_id TO subject_id;
ALTER TABLE events RENAME CONSTRAINT plan_events_pkey TO events_pkey;
ALTER TABLE events RENAME CONSTRAINT plan_events_actor_kind_check TO events_actor_kind_check;
ALTER TABLE events RENAME CONSTRAINT plan_events_actor_user_id_fkey TO events_actor_user_id_fkey;
ALTER TABLE events RENAME CONSTRAINT plan_events_organization_id_fkey TO events_organization_id_fkey;
ALTER TABLE events DROP CONSTRAINT plan_events_plan_id_fkey;
ALTER TABLE events ADD COLUMN subject_kind text NOT NULL DEFAULT 'plan' CHECK (subject_kind IN ('plan', 'pull_request'));
ALTER TABLE events ALTER COLUMN subject_kind DROP DEFAULT;

-- The subjects with events that were not handled yet, and the number of the last one that was.
ALTER TABLE plan_outbox RENAME TO event_outbox;
ALTER TABLE event_outbox RENAME COLUMN plan_id TO subject_id;
ALTER TABLE event_outbox RENAME COLUMN told TO handled;
ALTER TABLE event_outbox RENAME CONSTRAINT plan_outbox_pkey TO event_outbox_pkey;
ALTER TABLE event_outbox DROP CONSTRAINT plan_outbox_plan_id_fkey;
ALTER TABLE event_outbox
  ADD COLUMN subject_kind text NOT NULL DEFAULT 'plan' CHECK (subject_kind IN ('plan', 'pull_request'));
ALTER TABLE event_outbox ALTER COLUMN subject_kind DROP DEFAULT;

ALTER TABLE inbox_items RENAME COLUMN plan_id TO subject_id;
ALTER TABLE inbox_items RENAME CONSTRAINT inbox_items_user_id_plan_id_event_number_key
  TO inbox_items_user_id_subject_id_event_number_key;
ALTER TABLE inbox_items RENAME CONSTRAINT inbox_items_plan_id_event_number_fkey
  TO inbox_items_subject_id_event_number_fkey;
ALTER TABLE inbox_items DROP CONSTRAINT inbox_items_plan_id_fkey;
ALTER TABLE inbox_items
  ADD COLUMN subject_kind text NOT NULL DEFAULT 'plan' CHECK (subject_kind IN ('plan', 'pull_request'));
ALTER TABLE inbox_items ALTER COLUMN subject_kind DROP DEFAULT;
