-- The base branch that a pull request had when someone reviewed it: an approval is not one for another base. Null: the version before didn't say.
ALTER TABLE pull_request_verdicts ADD COLUMN base_branch text;
UPDATE pull_request_verdicts v SET base_branch = p.base_branch FROM pull_requests p WHERE p.id = v.pull_request_id;
