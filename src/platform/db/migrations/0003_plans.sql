-- Plans that agents write, the team's comments on them, and everything that follows from both.

-- Repositories by name; cloning and indexing them fills in the rest.
CREATE TABLE repositories (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  name text NOT NULL,
  folded_name text NOT NULL GENERATED ALWAYS AS (lower(name)) STORED,
  folded_leaf text NOT NULL GENERATED ALWAYS AS (lower(regexp_replace(name, '^.*/', ''))) STORED,
  -- The newest commit of the default branch, as far as it is known.
  head_commit text,
  created_at timestamptz NOT NULL,
  UNIQUE (organization_id, folded_name)
);
CREATE INDEX repositories_leaf ON repositories (organization_id, folded_leaf);

-- Switches that were moved from where they stand by default.
CREATE TABLE organization_switches (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  key text NOT NULL,
  enabled boolean NOT NULL,
  updated_by uuid NOT NULL REFERENCES users (id),
  updated_at timestamptz NOT NULL,
  UNIQUE (organization_id, key)
);

-- Room is left on each page: every comment counts up last_event, and such an update should touch no index.
CREATE TABLE plans (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  series_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'approved', 'implemented', 'closed', 'deleted')),
  title text NOT NULL,
  agent_vendor text NOT NULL,
  created_by uuid NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- The newest version; null only inside the transaction that makes the plan.
  version_id uuid,
  version integer NOT NULL,
  -- The version that brought the present content; those after it have the same.
  content_since integer NOT NULL,
  -- The number of the newest event: given under the lock of this row, so that none is ever seen before an earlier one.
  last_event bigint NOT NULL,
  comment_count integer NOT NULL,
  UNIQUE (organization_id, series_id)
) WITH (fillfactor = 75);
CREATE INDEX plans_recent ON plans (organization_id, updated_at, id) WHERE status <> 'deleted';
CREATE INDEX plans_status ON plans (organization_id, status, updated_at, id);
CREATE INDEX plans_author ON plans (organization_id, created_by, updated_at, id) WHERE status <> 'deleted';
CREATE INDEX plans_vendor ON plans (organization_id, agent_vendor, updated_at, id) WHERE status <> 'deleted';

CREATE TABLE plan_versions (
  id uuid PRIMARY KEY,
  plan_id uuid NOT NULL REFERENCES plans (id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  version integer NOT NULL CHECK (version >= 1),
  title text NOT NULL,
  content text NOT NULL,
  -- Whether the version before has the same content.
  unchanged boolean NOT NULL,
  author_id uuid NOT NULL REFERENCES users (id),
  author_kind text NOT NULL CHECK (author_kind IN ('key', 'session', 'oauth')),
  agent_vendor text NOT NULL,
  model_id text,
  input_tokens bigint,
  output_tokens bigint,
  created_at timestamptz NOT NULL,
  -- When it was found out which comments it addresses.
  compared_at timestamptz,
  UNIQUE (plan_id, version)
);
CREATE INDEX plan_versions_uncompared ON plan_versions (created_at, id) WHERE compared_at IS NULL;
ALTER TABLE plans ADD FOREIGN KEY (version_id) REFERENCES plan_versions (id);

-- The repositories of each version, with their newest commit as it was known then.
CREATE TABLE plan_version_repositories (
  version_id uuid NOT NULL REFERENCES plan_versions (id),
  position integer NOT NULL,
  plan_id uuid NOT NULL REFERENCES plans (id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  repository_id uuid REFERENCES repositories (id),
  name text NOT NULL,
  folded_name text NOT NULL GENERATED ALWAYS AS (lower(name)) STORED,
  folded_leaf text NOT NULL GENERATED ALWAYS AS (lower(regexp_replace(name, '^.*/', ''))) STORED,
  head_commit text,
  PRIMARY KEY (version_id, position)
);
CREATE INDEX plan_version_repositories_leaf ON plan_version_repositories (organization_id, folded_leaf, plan_id);
CREATE INDEX plan_version_repositories_id ON plan_version_repositories (repository_id) WHERE repository_id IS NOT NULL;

-- The files that the newest version names.
CREATE TABLE plan_files (
  plan_id uuid NOT NULL REFERENCES plans (id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  path text NOT NULL,
  PRIMARY KEY (plan_id, path)
);
CREATE INDEX plan_files_path ON plan_files (organization_id, path, plan_id);

-- The words of the newest version. In parts, because one tsvector holds at most a megabyte.
CREATE TABLE plan_words (
  plan_id uuid NOT NULL REFERENCES plans (id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  part integer NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (plan_id, part)
);
CREATE INDEX plan_words_search ON plan_words USING gin (words);

CREATE TABLE plan_comments (
  id uuid PRIMARY KEY,
  plan_id uuid NOT NULL REFERENCES plans (id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  version_id uuid NOT NULL REFERENCES plan_versions (id),
  parent_id uuid REFERENCES plan_comments (id),
  -- The first comment of the thread; its own id where it is the first.
  thread_id uuid NOT NULL,
  author_id uuid NOT NULL REFERENCES users (id),
  author_kind text NOT NULL CHECK (author_kind IN ('key', 'session', 'oauth')),
  body text NOT NULL,
  anchor text,
  triage_state text CHECK (triage_state IN ('open', 'dismissed')),
  created_at timestamptz NOT NULL,
  edited_at timestamptz,
  -- The first later version that changed the words it points to, with the difference.
  addressed_version_id uuid REFERENCES plan_versions (id),
  addressed_old text,
  addressed_new text
);
CREATE INDEX plan_comments_plan ON plan_comments (plan_id, created_at, id);
CREATE INDEX plan_comments_thread ON plan_comments (thread_id, created_at, id);
CREATE INDEX plan_comments_anchored ON plan_comments (plan_id, id)
  WHERE anchor IS NOT NULL AND parent_id IS NULL AND addressed_version_id IS NULL;

CREATE TABLE plan_muted_threads (
  user_id uuid NOT NULL REFERENCES users (id),
  thread_id uuid NOT NULL REFERENCES plan_comments (id),
  plan_id uuid NOT NULL REFERENCES plans (id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, thread_id)
);
CREATE INDEX plan_muted_threads_plan ON plan_muted_threads (plan_id, user_id);
CREATE INDEX plan_muted_threads_thread ON plan_muted_threads (thread_id);

-- What people said of a version: approved, or changes wanted.
CREATE TABLE plan_reviews (
  id uuid PRIMARY KEY,
  plan_id uuid NOT NULL REFERENCES plans (id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  version_id uuid NOT NULL REFERENCES plan_versions (id),
  user_id uuid NOT NULL REFERENCES users (id),
  verdict text NOT NULL CHECK (verdict IN ('approved', 'changes_requested')),
  note text,
  created_at timestamptz NOT NULL,
  withdrawn_at timestamptz
);
CREATE INDEX plan_reviews_plan ON plan_reviews (plan_id, created_at, id);

CREATE TABLE plan_review_requests (
  plan_id uuid NOT NULL REFERENCES plans (id),
  user_id uuid NOT NULL REFERENCES users (id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  requested_by uuid NOT NULL REFERENCES users (id),
  requested_at timestamptz NOT NULL,
  PRIMARY KEY (plan_id, user_id)
);

CREATE TABLE plan_pull_requests (
  id uuid PRIMARY KEY,
  plan_id uuid NOT NULL REFERENCES plans (id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  repository_id uuid REFERENCES repositories (id),
  repository_name text,
  number integer NOT NULL CHECK (number >= 1),
  linked_by uuid NOT NULL REFERENCES users (id),
  linked_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX plan_pull_requests_once
  ON plan_pull_requests (plan_id, number, (coalesce(repository_id::text, lower(repository_name), '')));
CREATE INDEX plan_pull_requests_number ON plan_pull_requests (organization_id, number);

-- Everything that happened to a plan, numbered without gaps: the activity list, the change feed, and what the inbox
-- and webhooks are made of.
CREATE TABLE plan_events (
  plan_id uuid NOT NULL REFERENCES plans (id),
  number bigint NOT NULL,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  kind text NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('key', 'session', 'oauth', 'service')),
  actor_user_id uuid REFERENCES users (id),
  data jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (plan_id, number)
);

-- The plans with events that nobody was told of yet, and the number of the last one that was told. A row is there only as
-- long as there is something to tell: a mark on every event would write each of them twice.
CREATE TABLE plan_outbox (
  plan_id uuid PRIMARY KEY REFERENCES plans (id),
  organization_id uuid NOT NULL,
  told bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE inbox_items (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  user_id uuid NOT NULL REFERENCES users (id),
  plan_id uuid NOT NULL REFERENCES plans (id),
  event_number bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('comment', 'reply', 'review_requested', 'approved', 'changes_requested', 'new_version')),
  created_at timestamptz NOT NULL,
  read_at timestamptz,
  UNIQUE (user_id, plan_id, event_number),
  FOREIGN KEY (plan_id, event_number) REFERENCES plan_events (plan_id, number)
);
CREATE INDEX inbox_items_user ON inbox_items (organization_id, user_id, id);
CREATE INDEX inbox_items_unread ON inbox_items (organization_id, user_id, id) WHERE read_at IS NULL;

CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  url text NOT NULL,
  -- Needed to sign each delivery, so it is kept as it is; it leaves once, when it is made.
  secret text NOT NULL,
  -- Empty: every kind.
  event_kinds text[] NOT NULL,
  enabled boolean NOT NULL,
  created_by uuid NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE INDEX webhooks_organization ON webhooks (organization_id, id) WHERE deleted_at IS NULL;

CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  webhook_id uuid NOT NULL REFERENCES webhooks (id),
  event_kind text NOT NULL,
  -- The very bytes that are sent: signed anew at each attempt, never changed.
  payload text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'succeeded', 'failed')),
  -- Since it was made or sent again.
  attempts integer NOT NULL,
  created_at timestamptz NOT NULL,
  -- When it was handed to the queue; null while that is still to be done.
  queued_at timestamptz,
  -- While an attempt is under way, nobody else begins one before this time.
  claimed_until timestamptz,
  last_attempt_at timestamptz,
  next_attempt_at timestamptz,
  response_status integer,
  -- What went wrong, or how the reply's body begins.
  response_note text,
  duration_ms integer,
  -- The newest attempts, oldest first: {at, responseStatus, note, durationMs}.
  attempt_log jsonb NOT NULL
);
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_state ON webhook_deliveries (webhook_id, state, id);
CREATE INDEX webhook_deliveries_unqueued ON webhook_deliveries (id) WHERE state = 'pending' AND queued_at IS NULL;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
