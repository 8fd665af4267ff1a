/** The requests that the process for reviews answers. */
import type { ReviewRequest, ReviewResult } from '../../platform/core/code-review.ts';

export interface ReviewProcessRequests {
  reviewChange: { params: ReviewRequest; result: ReviewResult };
}
