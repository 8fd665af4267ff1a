-- What each repository is and does, made from the facts of its code at the head of its default branch.

-- A repository is described again when its head or its name changed: queued once for each, and again if it was lost.
ALTER TABLE repositories
  ADD COLUMN described_head text,
  ADD COLUMN described_name text,
  ADD COLUMN describe_queued_at timestamptz,
  -- Null while nobody works on it.
  ADD COLUMN describe_started_at timestamptz,
  -- Why the newest attempt failed.
  ADD COLUMN describe_problem text;
CREATE INDEX repositories_undescribed ON repositories (id)
  WHERE described_head IS DISTINCT FROM head_commit
    OR (head_commit IS NOT NULL AND described_name IS DISTINCT FROM name);

-- What all summaries of a repository share: its description, languages, folders, activity, and what was left out.
CREATE TABLE architecture_overviews (
  repository_id uuid PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  commit text NOT NULL,
  overview jsonb NOT NULL,
  described_at timestamptz NOT NULL
);

CREATE TABLE architecture_summaries (
  repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  domain text NOT NULL,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  commit text NOT NULL,
  -- [{text, evidence: [{path, line}]}]
  sentences jsonb NOT NULL,
  -- The sentences as one text.
  summary text NOT NULL,
  -- Every word of the summary, the repository's name and the domain: as written, split, and stemmed.
  words tsvector NOT NULL,
  -- Those of the name, of the domain, and of the sentences that say what the repository is.
  main_words tsvector NOT NULL,
  PRIMARY KEY (repository_id, domain)
) WITH (toast_tuple_target = 128);
-- A search visits every row with one of its words: rows stay short while texts and words are stored apart.
ALTER TABLE architecture_summaries ALTER COLUMN words SET STORAGE EXTERNAL, ALTER COLUMN main_words SET STORAGE EXTERNAL;
-- Without the list of pending entries, which every search would have to read.
CREATE INDEX architecture_summaries_words ON architecture_summaries USING gin (words, main_words) WITH (fastupdate = off);
CREATE INDEX architecture_summaries_domain ON architecture_summaries (organization_id, domain, repository_id);

-- What the code at the default head offers to others and takes from them.
CREATE TABLE architecture_facts (
  repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  -- A hash of the other columns: what a push didn't change stays as it is.
  id uuid NOT NULL,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  kind text NOT NULL,
  role text NOT NULL CHECK (role IN ('provides', 'uses')),
  name text COLLATE "C" NOT NULL,
  -- The folder of the package that it is in; empty for the root.
  part text NOT NULL,
  path text NOT NULL,
  line integer NOT NULL,
  detail text,
  PRIMARY KEY (repository_id, id)
);
CREATE INDEX architecture_facts_name ON architecture_facts (organization_id, kind, name, role);
CREATE INDEX architecture_facts_repository ON architecture_facts (repository_id, kind, name);
