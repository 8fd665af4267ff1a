-- Reviewers that live in files of a repository have a row too, for the discussions that they open. They are not listed.
ALTER TABLE reviewers
  ADD COLUMN file_repository_id uuid REFERENCES repositories (id) ON DELETE CASCADE,
  ADD COLUMN file_path text,
  ADD CHECK ((file_repository_id IS NULL) = (file_path IS NULL));
CREATE UNIQUE INDEX reviewers_file ON reviewers (file_repository_id, file_path) WHERE file_repository_id IS NOT NULL;
-- Files of two repositories can have the same title.
DROP INDEX reviewers_title;
CREATE UNIQUE INDEX reviewers_title ON reviewers (organization_id, folded_title)
  WHERE deleted_at IS NULL AND file_repository_id IS NULL;
