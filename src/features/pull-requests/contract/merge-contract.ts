/** The shapes of merging pull requests of plain git. */
import { z } from 'zod';
import { requiredText, text, timestamp, uuid } from '../../../platform/core/operations/shapes.ts';
import { PULL_REQUEST_STATES } from '../../plans/contract.ts';
import { PushProblem } from '../../repositories/contract.ts';
import { Branch, Commit, LIMITS, PullRequestId } from './contract-fields.ts';

export const MERGE_METHODS = ['merge', 'squash', 'rebase'] as const;
export type MergeMethod = (typeof MERGE_METHODS)[number];
export const MERGE_STATES = ['pushing', 'merged', 'failed'] as const;
export const MERGE_FAILURES = [
  'lease_lost',
  'rejected',
  'no_permission',
  'unreachable',
  'interrupted',
] as const;
export type MergeFailure = (typeof MERGE_FAILURES)[number];
const MAX_MESSAGE_CHARACTERS = 65_536;

const Person = z.object({ id: uuid().nullable(), name: z.string() });
const method = z
  .enum(MERGE_METHODS)
  .describe(
    '`merge`: a merge commit. `squash`: one commit on the base. `rebase`: each commit again on the base.',
  );
const message = text({ max: MAX_MESSAGE_CHARACTERS })
  .optional()
  .describe('The message of the commit; default: as in `mergeMessages`. A rebase keeps the messages.');
const deleteBranch = z
  .boolean()
  .optional()
  .describe('Whether to delete the head branch; never the default branch, or one that others need.');

export const PullRequestMerge = z
  .object({
    id: uuid(),
    state: z.enum(MERGE_STATES).describe('`pushing`: the origin may have it already.'),
    method,
    person: Person,
    baseCommit: z.string(),
    headCommit: z.string(),
    commit: z.string().describe('The new head of the base branch.'),
    bypassed: z.array(z.string()).describe('The kinds of requirements that weren’t met.'),
    bypassReason: z.string().nullable(),
    failure: z.enum(MERGE_FAILURES).nullable(),
    problem: z.string().nullable().describe('More about the failure, such as what the server said.'),
    startedAt: timestamp(),
    finishedAt: timestamp().nullable(),
  })
  .meta({ id: 'PullRequestMerge' });

export const mergeFields = {
  merge: PullRequestMerge.nullable().describe('The newest attempt to merge it here.'),
  mergeWhenReady: z
    .object({
      person: Person,
      method: z.enum(MERGE_METHODS),
      message: z.string().nullable().describe('Null: the default at the time of the merge.'),
      deleteBranch: z.boolean(),
      since: timestamp(),
    })
    .nullable()
    .describe('Whose merge waits until nothing is missing; null if none does.'),
  mergeMessages: z
    .object({ merge: z.string(), squash: z.string() })
    .nullable()
    .describe(
      'How the messages of new commits begin; `get-merge-messages` has them whole, with the link and the co-authors. Null if it can’t be merged here.',
    ),
  pushProblem: PushProblem.nullable().describe(
    'Why a merge can’t be pushed, as far as that is known before a push. Null if nothing is known, or if it can’t be merged here.',
  ),
  revertedBy: z
    .object({
      id: uuid(),
      number: z.int(),
      state: z.enum(PULL_REQUEST_STATES),
      author: z.string().describe('The name of the person who opened it.'),
      createdAt: timestamp(),
    })
    .nullable()
    .describe('The newest pull request that reverts it.'),
  headBranchDeletable: z
    .boolean()
    .describe('Whether you can delete the head branch: after merging, or now that it was merged or closed.'),
  headBranchRestorable: z
    .boolean()
    .describe('Whether it was merged or closed, its branch is gone, and you can restore it.'),
};

export const MergePullRequestInput = z.object({
  pullRequestId: PullRequestId,
  method,
  head: Commit.describe('The head that you saw.'),
  base: Commit.describe('The commit of the base branch that you saw.'),
  message,
  deleteBranch,
  bypassReason: requiredText({ max: LIMITS.reasonCharacters })
    .optional()
    .describe('Why it is merged although a requirement isn’t met; only admins can. It stays on record.'),
});

/** Why a merge that waits is turned off. */
export const STOP_REASONS = [
  'by_hand',
  'pushed',
  'base_changed',
  'conflicts',
  'closed',
  'not_allowed',
  'not_made',
  'refused',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export const SetMergeWhenReadyInput = z.object({
  pullRequestId: PullRequestId,
  method,
  head: Commit.describe('The head that you saw.'),
  message,
  deleteBranch,
});
export const EndMergeWhenReadyInput = z.object({ pullRequestId: PullRequestId });

export const GetMergeMessagesInput = z.object({
  pullRequestId: PullRequestId,
  head: Commit.describe('The head that you saw.'),
});
export const MergeMessages = z
  .object({
    merge: z.string(),
    squash: z.string(),
    rebaseBlocked: z.string().nullable().describe('Why the commits can’t be rebased; null if they can.'),
  })
  .meta({ id: 'MergeMessages' });

export const RevertPullRequestInput = z.object({ pullRequestId: PullRequestId });

export const DeleteHeadBranchInput = z.object({ pullRequestId: PullRequestId });

export const RestoreHeadBranchInput = z.object({ pullRequestId: PullRequestId });

export const UpdateHeadBranchInput = z.object({
  pullRequestId: PullRequestId,
  expectedHead: Commit.describe(
    'The head commit that the caller saw. If the head has moved, the response is 409.',
  ),
});
export const UpdatedBranch = z
  .object({ commit: z.string().describe('The merge commit, which is the new head once it is fetched.') })
  .meta({ id: 'UpdatedBranch' });

const MAX_UPDATES = 1000;
export const CheckPushInput = z.object({
  repository: requiredText({ max: 300 }).describe('`owner/name` or just `name`.'),
  updates: z
    .array(
      z.object({
        branch: Branch,
        from: Commit.describe('Zeros for a new branch.'),
        to: Commit.describe('Zeros for a deleted branch.'),
      }),
    )
    .min(1)
    .max(MAX_UPDATES)
    .describe('The branches that a push moves.'),
});
export const CheckedPush = z
  .object({
    refused: z
      .array(z.object({ branch: z.string(), pattern: z.string().describe('Of the merge rule.') }))
      .describe('Branches with a merge rule that no merge here moves so. Empty: accept the push.'),
  })
  .meta({ id: 'CheckedPush' });
