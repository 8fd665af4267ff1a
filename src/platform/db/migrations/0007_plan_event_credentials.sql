-- Which credential made an event: two agents of one person are two callers. Null for events of the service itself and
-- for those written before.
ALTER TABLE plan_events ADD COLUMN actor_credential_id uuid;
