-- Reviewers, excluded paths, and one row for each setting of each organization.

-- IDs as the service makes them: version 7.
CREATE FUNCTION pg_temp.new_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT (substr(ms, 1, 8) || '-' || substr(ms, 9) || '-7' || substr(gen_random_uuid()::text, 16))::uuid
  FROM lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') AS ms
$$;

-- Never changed since the organization was created: nobody changed it.
ALTER TABLE organization_switches
  ALTER COLUMN updated_by DROP NOT NULL,
  ALTER COLUMN updated_at DROP NOT NULL,
  ADD COLUMN conditions jsonb NOT NULL DEFAULT '{}';
INSERT INTO organization_switches (id, organization_id, key, enabled)
  SELECT pg_temp.new_id(), o.id, d.key, d.enabled
  FROM organizations o, (VALUES
    ('review_draft_pull_requests', true),
    ('review_on_every_push', true),
    ('review_only_on_request', false),
    ('re_review_after_resolution', true),
    ('auto_resolve_addressed', false),
    ('auto_approve_clean', false),
    ('generate_description', false),
    ('planner', true),
    ('self_approval', false)
  ) AS d (key, enabled)
  ON CONFLICT (organization_id, key) DO NOTHING;

-- Globs of files that reviews skip.
CREATE TABLE excluded_paths (
  repository_id uuid PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  paths text[] NOT NULL CHECK (paths <> '{}'),
  updated_by uuid NOT NULL REFERENCES users (id),
  updated_at timestamptz NOT NULL
);
CREATE INDEX excluded_paths_organization ON excluded_paths (organization_id);

-- How a switch, or the excluded paths of a repository, changed. `subject_id` is the switch or the repository.
CREATE TABLE setting_changes (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  subject_id uuid NOT NULL,
  changed_by uuid NOT NULL REFERENCES users (id),
  before jsonb NOT NULL,
  after jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX setting_changes_subject ON setting_changes (organization_id, subject_id, created_at, id);

CREATE TABLE reviewers (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  -- Which built-in reviewer; null for custom ones.
  built_in text,
  -- The title of the active version.
  title text NOT NULL,
  folded_title text NOT NULL GENERATED ALWAYS AS (lower(title) COLLATE "C") STORED,
  enabled boolean NOT NULL,
  active_version integer NOT NULL,
  newest_version integer NOT NULL,
  -- Null for built-in ones and those that the operator imported.
  created_by uuid REFERENCES users (id),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Kept for the discussions that it opened.
  deleted_at timestamptz,
  CHECK (active_version BETWEEN 1 AND newest_version)
);
CREATE UNIQUE INDEX reviewers_built_in ON reviewers (organization_id, built_in) WHERE built_in IS NOT NULL;
CREATE UNIQUE INDEX reviewers_title ON reviewers (organization_id, folded_title) WHERE deleted_at IS NULL;

-- Every edit of a custom reviewer.
CREATE TABLE reviewer_versions (
  reviewer_id uuid NOT NULL REFERENCES reviewers (id) ON DELETE CASCADE,
  number integer NOT NULL CHECK (number >= 1),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  title text NOT NULL,
  description text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('instructions', 'rules')),
  body text NOT NULL,
  created_by uuid REFERENCES users (id),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (reviewer_id, number)
);

-- Where a version applies. A null repository is every repository, no paths are all paths. A version without any row, because its
-- repositories were removed, applies nowhere.
CREATE TABLE reviewer_scopes (
  reviewer_id uuid NOT NULL,
  version integer NOT NULL,
  position integer NOT NULL,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  repository_id uuid REFERENCES repositories (id) ON DELETE CASCADE,
  paths text[] NOT NULL,
  PRIMARY KEY (reviewer_id, version, position),
  FOREIGN KEY (reviewer_id, version) REFERENCES reviewer_versions (reviewer_id, number) ON DELETE CASCADE
);
CREATE INDEX reviewer_scopes_repository ON reviewer_scopes (repository_id) WHERE repository_id IS NOT NULL;

INSERT INTO reviewers (id, organization_id, built_in, title, enabled, active_version, newest_version, created_at, updated_at)
  SELECT pg_temp.new_id(), o.id, d.key, d.title, true, 1, 1, o.created_at, o.created_at
  FROM organizations o, (VALUES
    ('logic_errors', 'Logic Errors'),
    ('breaking_changes', 'Breaking Changes'),
    ('security', 'Security'),
    ('secrets', 'Secrets'),
    ('type_inconsistencies', 'Type Inconsistencies'),
    ('error_handling', 'Error Handling'),
    ('tests_missing', 'Tests Missing'),
    ('documentation_drift', 'Documentation Drift'),
    ('dependency_risk', 'Dependency Risk'),
    ('plan_conformance', 'Plan Conformance')
  ) AS d (key, title);

-- Which reviewer wrote it; null for people, agents and bots.
ALTER TABLE discussions ADD COLUMN reviewer_id uuid REFERENCES reviewers (id);
ALTER TABLE pull_request_comments ADD COLUMN reviewer_id uuid REFERENCES reviewers (id);
-- The newest discussions of a reviewer; the repository is in it to skip those that a reader can't see.
CREATE INDEX discussions_reviewer ON discussions (reviewer_id, created_at, id) INCLUDE (repository_id)
  WHERE reviewer_id IS NOT NULL;
