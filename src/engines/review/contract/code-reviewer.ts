/** The port for reviewing changes on this node, which fetches a commit first if the mirror lacks it. */
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { ReviewRequests } from './code-review.ts';

export interface CodeReviewer {
  /** Runs the checks of reviewers over the difference of two commits. */
  review(
    repositoryId: string,
    params: ReviewRequests['reviewChange']['params'],
    call: Call,
  ): Promise<ReviewRequests['reviewChange']['result']>;
  /** Whether files of a commit still use something, in the order of the request. */
  confirmUses(
    repositoryId: string,
    params: ReviewRequests['confirmUses']['params'],
    call: Call,
  ): Promise<ReviewRequests['confirmUses']['result']>;
  /** Changed files with their changed lines, for an agent or a model to review. */
  readChange(
    repositoryId: string,
    params: ReviewRequests['readChange']['params'],
    call: Call,
  ): Promise<ReviewRequests['readChange']['result']>;
  /** Passes a reported finding through the gate and checks its claim. */
  judgeFinding(
    repositoryId: string,
    params: ReviewRequests['judgeFinding']['params'],
    call: Call,
  ): Promise<ReviewRequests['judgeFinding']['result']>;
}
