-- Images in comments and descriptions. Each belongs to a pull request or a plan: whoever can read that can see it.
CREATE TABLE images (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  pull_request_id uuid REFERENCES pull_requests (id) ON DELETE CASCADE,
  plan_id uuid REFERENCES plans (id) ON DELETE CASCADE,
  user_id uuid REFERENCES users (id),
  media_type text NOT NULL CHECK (media_type IN ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
  content bytea NOT NULL,
  size integer NOT NULL,
  created_at timestamptz NOT NULL,
  -- When a text was last found to show it; at first, when it was uploaded.
  used_at timestamptz NOT NULL,
  CHECK ((pull_request_id IS NULL) <> (plan_id IS NULL))
);
-- They are compressed already.
ALTER TABLE images ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX images_organization ON images (organization_id) INCLUDE (size);
CREATE INDEX images_pull_request ON images (pull_request_id) WHERE pull_request_id IS NOT NULL;
CREATE INDEX images_plan ON images (plan_id) WHERE plan_id IS NOT NULL;
CREATE INDEX images_used ON images (used_at, id);
