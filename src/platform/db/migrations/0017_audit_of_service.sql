-- What the service itself noticed is recorded too, such as a code host that refused its credential.
ALTER TABLE audit_events DROP CONSTRAINT audit_events_actor_kind_check;
ALTER TABLE audit_events ADD CONSTRAINT audit_events_actor_kind_check
  CHECK (actor_kind IN ('key', 'session', 'oauth', 'operator', 'anonymous', 'service'));

-- It is set when a repository is connected.
ALTER TABLE code_host_repositories ALTER COLUMN next_list_at DROP DEFAULT;
