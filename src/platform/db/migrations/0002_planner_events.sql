-- What agents report about their planning sessions.

CREATE TABLE planner_sessions (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id),
  agent_vendor text,
  first_event_at timestamptz NOT NULL,
  last_event_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX planner_sessions_recent ON planner_sessions (organization_id, last_event_at);

CREATE TABLE planner_events (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  session_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id),
  event_type text NOT NULL,
  repository text,
  agent_vendor text,
  -- text, not json: the payload is kept to the letter, and PostgreSQL's json parser refuses deep nesting.
  payload text,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (organization_id, session_id) REFERENCES planner_sessions (organization_id, id)
);
CREATE INDEX planner_events_session ON planner_events (organization_id, session_id, created_at, id);
