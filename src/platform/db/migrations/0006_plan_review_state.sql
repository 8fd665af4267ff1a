-- Whether changes were requested to the content that a plan has now, and whose review is awaited.

-- When changes were requested; null when nobody did, or other content or an approval came since.
ALTER TABLE plans ADD COLUMN changes_requested_at timestamptz;

UPDATE plans p SET changes_requested_at = r.created_at
FROM (
  SELECT DISTINCT ON (r.plan_id) r.plan_id, r.verdict, r.created_at
  FROM plan_reviews r
  JOIN plan_versions v ON v.id = r.version_id
  JOIN plans p ON p.id = r.plan_id
  WHERE v.version >= p.content_since
  ORDER BY r.plan_id, r.created_at DESC, r.id DESC
) r
WHERE r.plan_id = p.id AND r.verdict = 'changes_requested';

CREATE INDEX plans_changes_requested ON plans (organization_id, updated_at, id)
  WHERE status = 'pending' AND changes_requested_at IS NOT NULL;

CREATE INDEX plan_review_requests_reviewer ON plan_review_requests (organization_id, user_id, plan_id);
