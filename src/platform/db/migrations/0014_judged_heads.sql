-- Comparing the newest head of a pull request with its discussions is queued once for each head, and again if it was lost.
ALTER TABLE pull_requests
  ADD COLUMN judge_queued_head text,
  ADD COLUMN judge_queued_at timestamptz;
-- Merged and closed ones too: the last push often comes just before the merge.
DROP INDEX pull_requests_unjudged;
CREATE INDEX pull_requests_unjudged ON pull_requests (id)
  WHERE judged_head IS DISTINCT FROM head_commit AND head_commit IS NOT NULL;
