-- The search for repositories also finds what their code says: names, routes, tables, options, texts, comments, documentation.
CREATE TABLE architecture_code_words (
  repository_id uuid NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  -- The stem of a word, of a part of a name, or of a name as one word: `totalCents` is found as `total`, `cent` and `totalcent`.
  word text COLLATE "C" NOT NULL,
  organization_id uuid NOT NULL,
  -- The place in the list of domains, in the program.
  domain smallint NOT NULL,
  -- How much it says about the repository, from 1 to 100: by where it stands and in how many of its files.
  weight smallint NOT NULL,
  -- As it is written at its best place.
  name text NOT NULL,
  path text NOT NULL,
  line integer NOT NULL,
  PRIMARY KEY (repository_id, word)
);
-- A search reads the index alone, and a place only of what it shows.
CREATE INDEX architecture_code_words_word ON architecture_code_words (organization_id, word, repository_id) INCLUDE (domain, weight);

-- Repositories described before have none: they are described again.
UPDATE repositories SET described_name = NULL WHERE described_name IS NOT NULL;
