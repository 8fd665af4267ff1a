-- Pull requests, every head they had, and the review conversation on them.

-- Code hosts that an organization is connected to.
CREATE TABLE code_hosts (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  kind text NOT NULL CHECK (kind IN ('github', 'gitlab', 'gitea')),
  -- Where people open it, without a trailing slash.
  url text NOT NULL,
  created_by uuid REFERENCES users (id),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX code_hosts_organization ON code_hosts (organization_id, id);

-- Accounts seen on code hosts. One that is linked to a member is shown under the member's name.
CREATE TABLE host_accounts (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  code_host_id uuid NOT NULL REFERENCES code_hosts (id) ON DELETE CASCADE,
  -- The host's own ID: logins can change hands.
  host_account_id text NOT NULL,
  login text NOT NULL,
  name text NOT NULL,
  is_bot boolean NOT NULL,
  user_id uuid REFERENCES users (id),
  linked_by text CHECK (linked_by IN ('sign_in', 'admin')),
  linked_at timestamptz,
  UNIQUE (code_host_id, host_account_id)
);
CREATE INDEX host_accounts_user ON host_accounts (organization_id, user_id) WHERE user_id IS NOT NULL;

CREATE TABLE pull_requests (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  number integer NOT NULL CHECK (number >= 1),
  -- Opened here between two branches, or read from the code host.
  origin text NOT NULL CHECK (origin IN ('git', 'host')),
  title text NOT NULL,
  description text NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'draft', 'merged', 'closed')),
  -- The name is what the host showed; a member or a linked account takes precedence when it is presented.
  author_kind text NOT NULL CHECK (author_kind IN ('person', 'agent', 'bot')),
  author_user_id uuid REFERENCES users (id),
  author_account_id uuid REFERENCES host_accounts (id) ON DELETE SET NULL,
  author_name text NOT NULL,
  -- Null: the same repository. Otherwise the full name of the fork, and its owner for `owner:branch`.
  head_repository text,
  folded_head_owner text GENERATED ALWAYS AS (lower(regexp_replace(head_repository, '/[^/]*$', ''))) STORED,
  head_branch text COLLATE "C" NOT NULL,
  base_branch text COLLATE "C" NOT NULL,
  -- The newest head and what it is compared with; null until they are known.
  head_commit text,
  base_commit text,
  merge_base text,
  -- How many heads it has had.
  head_count integer NOT NULL,
  labels text[] NOT NULL,
  -- On the code host.
  url text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  merged_at timestamptz,
  closed_at timestamptz,
  -- The number of the newest event, given under the lock of this row.
  last_event bigint NOT NULL,
  discussion_count integer NOT NULL,
  open_discussion_count integer NOT NULL,
  comment_count integer NOT NULL,
  -- When the newest head was compared with the discussions: positions, and which are addressed.
  judged_head text,
  UNIQUE (repository_id, number)
) WITH (fillfactor = 75);
CREATE INDEX pull_requests_branch ON pull_requests (repository_id, head_branch, created_at, id);
CREATE INDEX pull_requests_recent ON pull_requests (organization_id, updated_at, id);
CREATE INDEX pull_requests_state ON pull_requests (organization_id, state, updated_at, id);
CREATE INDEX pull_requests_author ON pull_requests (organization_id, author_user_id, updated_at, id);
CREATE INDEX pull_requests_unjudged ON pull_requests (repository_id)
  WHERE state IN ('open', 'draft') AND judged_head IS DISTINCT FROM head_commit;

-- Every head a pull request ever had, oldest first; force-pushes included.
CREATE TABLE pull_request_heads (
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  position integer NOT NULL CHECK (position >= 1),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  commit text NOT NULL,
  base_commit text,
  merge_base text,
  -- Whether it does not contain the head before it; null until that is known.
  forced boolean,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (pull_request_id, position)
);

CREATE TABLE pull_request_review_requests (
  id uuid PRIMARY KEY,
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  user_id uuid REFERENCES users (id),
  account_id uuid REFERENCES host_accounts (id) ON DELETE CASCADE,
  -- A team of the host has a name only.
  name text NOT NULL,
  requested_at timestamptz NOT NULL
);
CREATE INDEX pull_request_review_requests_pull_request ON pull_request_review_requests (pull_request_id);
CREATE INDEX pull_request_review_requests_user ON pull_request_review_requests (organization_id, user_id)
  WHERE user_id IS NOT NULL;

-- What people said of the pull request as a whole: approved, or changes requested.
CREATE TABLE pull_request_verdicts (
  id uuid PRIMARY KEY,
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  user_id uuid REFERENCES users (id),
  account_id uuid REFERENCES host_accounts (id) ON DELETE SET NULL,
  name text NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('approved', 'changes_requested', 'commented')),
  note text,
  commit text,
  created_at timestamptz NOT NULL,
  dismissed_at timestamptz,
  host_review_id text,
  -- Whether it was given here and has to reach the host: `none` for those of plain git and of the host itself.
  sending text NOT NULL CHECK (sending IN ('none', 'waiting', 'sent', 'failed')),
  sending_problem text
);
CREATE INDEX pull_request_verdicts_pull_request ON pull_request_verdicts (pull_request_id, created_at, id);
CREATE UNIQUE INDEX pull_request_verdicts_host ON pull_request_verdicts (pull_request_id, host_review_id)
  WHERE host_review_id IS NOT NULL;

CREATE TABLE discussions (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  host_thread_id text,
  -- The place as it was commented on; lines 0 to 0 mean the whole file.
  file text NOT NULL,
  side text NOT NULL CHECK (side IN ('new', 'old')),
  start_line integer NOT NULL CHECK (start_line >= 0),
  end_line integer NOT NULL CHECK (end_line >= start_line),
  commit text,
  commented_code text NOT NULL,
  author_kind text NOT NULL CHECK (author_kind IN ('person', 'agent', 'reviewer', 'bot')),
  author_user_id uuid REFERENCES users (id),
  author_account_id uuid REFERENCES host_accounts (id) ON DELETE SET NULL,
  author_name text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  status text NOT NULL CHECK (status IN ('open', 'addressed', 'resolved')),
  -- What last set the status, who and why.
  status_cause text NOT NULL CHECK (status_cause IN ('opened', 'person', 'judge', 'switch', 'reverted', 'dismissed', 'proof')),
  status_user_id uuid REFERENCES users (id),
  status_account_id uuid REFERENCES host_accounts (id) ON DELETE SET NULL,
  status_name text,
  status_reason text,
  status_at timestamptz NOT NULL,
  -- Only heads after this one are judged: a person who reopens a discussion has seen the earlier ones.
  judged_from integer NOT NULL,
  -- The newest judgement: {verdict, commit, confidence, reason, hunks}.
  judgement jsonb,
  -- What the host showed when it was last read; null for plain git.
  host_resolved boolean,
  -- Whether the status was changed here and has to reach the host.
  sending text NOT NULL CHECK (sending IN ('none', 'waiting', 'sent', 'failed')),
  sending_problem text
);
CREATE INDEX discussions_pull_request ON discussions (pull_request_id, created_at, id);
CREATE UNIQUE INDEX discussions_host ON discussions (pull_request_id, host_thread_id) WHERE host_thread_id IS NOT NULL;

-- Comments of discussions; without a discussion, of the pull request's general conversation.
CREATE TABLE pull_request_comments (
  id uuid PRIMARY KEY,
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  discussion_id uuid REFERENCES discussions (id) ON DELETE CASCADE,
  host_comment_id text,
  author_kind text NOT NULL CHECK (author_kind IN ('person', 'agent', 'reviewer', 'bot')),
  author_user_id uuid REFERENCES users (id),
  author_account_id uuid REFERENCES host_accounts (id) ON DELETE SET NULL,
  author_name text NOT NULL,
  body text NOT NULL,
  -- The commit in which an agent says it fixed what was asked for.
  fixed_in text,
  created_at timestamptz NOT NULL,
  edited_at timestamptz,
  url text,
  sending text NOT NULL CHECK (sending IN ('none', 'waiting', 'sent', 'failed')),
  sending_problem text
);
CREATE INDEX pull_request_comments_discussion ON pull_request_comments (discussion_id, created_at, id)
  WHERE discussion_id IS NOT NULL;
CREATE INDEX pull_request_comments_conversation ON pull_request_comments (pull_request_id, created_at, id)
  WHERE discussion_id IS NULL;
CREATE UNIQUE INDEX pull_request_comments_host ON pull_request_comments (pull_request_id, host_comment_id)
  WHERE host_comment_id IS NOT NULL;

-- Where a discussion's code is at later heads.
CREATE TABLE discussion_positions (
  discussion_id uuid NOT NULL REFERENCES discussions (id) ON DELETE CASCADE,
  commit text NOT NULL,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  outcome text NOT NULL CHECK (outcome IN ('exact', 'moved', 'changed', 'gone')),
  file text NOT NULL,
  start_line integer NOT NULL,
  end_line integer NOT NULL,
  PRIMARY KEY (discussion_id, commit)
);

-- Files that a person marked as viewed; a file whose content changed since is no longer viewed.
CREATE TABLE pull_request_viewed_files (
  user_id uuid NOT NULL REFERENCES users (id),
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  path text NOT NULL,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  blob text NOT NULL,
  viewed_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, pull_request_id, path)
);

-- The head that a person last looked at.
CREATE TABLE pull_request_visits (
  user_id uuid NOT NULL REFERENCES users (id),
  pull_request_id uuid NOT NULL REFERENCES pull_requests (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  head_commit text NOT NULL,
  visited_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, pull_request_id)
);
