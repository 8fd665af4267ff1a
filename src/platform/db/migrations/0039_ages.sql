-- Old rows are found by their age when they are to be deleted. Rows are stored in the order of their age, so a block range index is enough, and built fast.
CREATE INDEX events_age ON events USING brin (created_at);
CREATE INDEX audit_events_age ON audit_events USING brin (created_at);
CREATE INDEX planner_events_age ON planner_events USING brin (created_at);
