/** Records a person's review of the latest version, which completes any request for it. */
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { PlanChange } from '../changes/change-plan.ts';
import { deleteReviewRequest, insertReview } from '../store/review-store.ts';

export async function recordReview(
  change: PlanChange,
  review: { userId: string; verdict: 'approved' | 'changes_requested'; note: string | null },
): Promise<void> {
  const { at, db, plan } = change;
  const { note, userId, verdict } = review;
  const reviewId = uuidv7();
  const versionId = plan.version_id!;
  await insertReview(db, {
    id: reviewId,
    planId: plan.id,
    organizationId: plan.organization_id,
    versionId,
    userId,
    verdict,
    note,
    at,
  });
  await deleteReviewRequest(db, plan.id, userId);
  change.record(verdict, { version: plan.version, versionId, reviewId, note });
}
