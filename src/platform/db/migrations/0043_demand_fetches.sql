-- An unknown branch, tag or commit asks the origin: when it was last asked, on any node, and how recent the recorded refs are.
ALTER TABLE repositories ADD COLUMN origin_asked_at timestamptz, ADD COLUMN refs_as_of timestamptz;
