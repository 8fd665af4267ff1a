-- How far stored texts from before tokens were masked have been cleaned, by table: the key of the last row that was read.
CREATE TABLE masked_tables (
  name text COLLATE "C" PRIMARY KEY,
  after_key jsonb,
  finished_at timestamptz
);
