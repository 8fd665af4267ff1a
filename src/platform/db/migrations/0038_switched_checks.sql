-- Checks of a built-in reviewer that are off by default and were switched on.
ALTER TABLE reviewers ADD COLUMN switched_on text[] NOT NULL DEFAULT '{}';
