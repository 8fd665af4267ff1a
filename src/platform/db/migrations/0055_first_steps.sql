-- Per person and organization: which agent of theirs called first, and the first steps that they don't want to see.
CREATE TABLE first_steps (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  user_id uuid NOT NULL REFERENCES users (id),
  -- As the agent named itself; not verified.
  agent_name text,
  agent_connected_at timestamptz,
  skipped text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX first_steps_person ON first_steps (user_id);
-- Agents that were in use before this was recorded.
INSERT INTO first_steps (organization_id, user_id, agent_name, agent_connected_at)
SELECT DISTINCT ON (organization_id, user_id) organization_id, user_id,
  left(coalesce(payload->'agent'->>'name', 'agent'), 100), created_at
FROM oauth_records WHERE kind = 'Grant' AND last_used_at IS NOT NULL AND organization_id IS NOT NULL AND user_id IS NOT NULL
ORDER BY organization_id, user_id, created_at;
