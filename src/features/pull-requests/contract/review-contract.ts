/** The shapes of reviews: what people say of a pull request as a whole. */
import { z } from 'zod';
import { requiredText, text, timestamp, uuid } from '../../../platform/core/operations/shapes.ts';
import { Author, Commit, LIMITS, PullRequestId, Sending } from './contract-fields.ts';

export const VERDICTS = ['approved', 'changes_requested', 'commented'] as const;
export const PullRequestVerdict = z
  .object({
    id: uuid(),
    author: Author,
    verdict: z.enum(VERDICTS),
    note: z.string().nullable(),
    commit: z.string().nullable(),
    baseBranch: z.string().nullable().describe('The base branch at that time; null if it is not known.'),
    createdAt: timestamp(),
    dismissedAt: timestamp().nullable(),
    dismissedBy: z.string().nullable().describe('The admin who dismissed it here; null for others.'),
    dismissalReason: z.string().nullable().describe('Why that admin dismissed it.'),
    sending: Sending,
  })
  .meta({ id: 'PullRequestVerdict' });

export const ReviewPullRequestInput = z.object({
  pullRequestId: PullRequestId,
  verdict: z.enum(VERDICTS),
  note: text({ max: LIMITS.noteCharacters })
    .optional()
    .describe('Required unless the verdict is `approved`.'),
  commit: Commit.optional().describe(
    'The head that was reviewed: required to approve. If it is not the newest, the request is a conflict that says what changed.',
  ),
});
export const RequestPullRequestReviewInput = z.object({
  pullRequestId: PullRequestId,
  userIds: z.array(uuid()).max(LIMITS.maxReviewers).optional(),
  teamIds: z.array(uuid()).max(LIMITS.maxReviewers).optional(),
});
export const DismissReviewInput = z.object({
  pullRequestId: PullRequestId,
  verdictId: uuid(),
  reason: requiredText({ max: LIMITS.reasonCharacters }).describe(
    'Shown on the pull request for good, and sent to the reviewer.',
  ),
});
