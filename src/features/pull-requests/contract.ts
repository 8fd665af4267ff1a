/** The shapes and limits of pull requests. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/operations/page.ts';
import { requiredText, text, timestamp, uuid } from '../../platform/core/operations/shapes.ts';
import {
  ACTIVE_PULL_REQUEST_STATES,
  PLAN_STATUSES,
  PULL_REQUEST_STATES,
  reviewStateField,
} from '../plans/contract.ts';
import { CommitStatus, StatusSummary } from '../statuses/contract.ts';
import { AutomaticReview } from './contract/automatic-review-contract.ts';
import { Author, Branch, LIMITS, PullRequestId, Sending } from './contract/contract-fields.ts';
import { Assignees } from './contract/label-contract.ts';
import { mergeFields } from './contract/merge-contract.ts';
import { MergeRequirements } from './contract/merge-rule-contract.ts';
import { Mergeability, MergeConflicts } from './contract/mergeability-contract.ts';
import { Reactions } from './contract/reaction-contract.ts';
import { PullRequestVerdict, VERDICTS } from './contract/review-contract.ts';

export { ACTIVE_PULL_REQUEST_STATES, PULL_REQUEST_STATES, type PullRequestState } from '../plans/contract.ts';
export * from './contract/automatic-review-contract.ts';
export * from './contract/conflict-contract.ts';
export * from './contract/contract-fields.ts';
export * from './contract/diff-contract.ts';
export * from './contract/label-contract.ts';
export * from './contract/merge-contract.ts';
export * from './contract/merge-rule-contract.ts';
export * from './contract/mergeability-contract.ts';
export * from './contract/owners-contract.ts';
export * from './contract/reaction-contract.ts';
export * from './contract/review-contract.ts';

export const PULL_REQUEST_EVENT_KINDS = [
  'pull_request_opened',
  'pull_request_edited',
  'pull_request_labels_changed',
  'pull_request_assignees_changed',
  'pull_request_pushed',
  'pull_request_state_changed',
  'pull_request_review_requested',
  'pull_request_reviewed',
  'pull_request_review_dismissed',
  'pull_request_approval_kept',
  'pull_request_conflicted',
  'pull_request_conflicts_resolved',
  'pull_request_statuses_changed',
  'pull_request_merge_when_ready',
  'pull_request_merge_started',
  'pull_request_merge_failed',
  'pull_request_branch_deleted',
  'pull_request_branch_restored',
  'pull_request_secret_left',
  'pull_request_commented',
  'discussion_opened',
  'discussion_replied',
  'discussion_edited',
  'discussion_status_changed',
] as const;
export type PullRequestEventKind = (typeof PULL_REQUEST_EVENT_KINDS)[number];

/** The kinds that its conversation shows. */
export const TIMELINE_EVENT_KINDS = [
  'pull_request_edited',
  'pull_request_pushed',
  'pull_request_state_changed',
  'pull_request_review_requested',
  'pull_request_merge_when_ready',
  'pull_request_merge_failed',
  'pull_request_branch_deleted',
  'pull_request_branch_restored',
] as const satisfies PullRequestEventKind[];

export const PullRequestSummary = z
  .object({
    id: PullRequestId,
    repository: z.object({ id: uuid(), name: z.string() }),
    number: z.int(),
    title: z.string(),
    state: z.enum(PULL_REQUEST_STATES),
    author: Author,
    headBranch: z.string(),
    headRepository: z
      .string()
      .nullable()
      .describe('The fork that the head branch is in; null for the same repository.'),
    baseBranch: z.string(),
    labels: z.array(z.string()),
    assignees: Assignees,
    openDiscussions: z.int(),
    discussions: z.int(),
    comments: z.int(),
    verdict: z
      .enum(['approved', 'changes_requested'])
      .nullable()
      .describe(
        'Of the reviewers taken together: changes requested by anyone until they withdraw it, or approved. Approvals count for the newest head and the present base branch.',
      ),
    mergeability: Mergeability,
    statusSummary: StatusSummary,
    waitingForMe: z.boolean().describe('Whether your review is requested; only of open ones.'),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'PullRequestSummary' });

export const PullRequestHead = z
  .object({
    position: z.int().describe('Heads count up from 1.'),
    commit: z.string(),
    baseCommit: z.string().nullable(),
    mergeBase: z.string().nullable().describe('What the head is compared with; null until it is known.'),
    forced: z.boolean().nullable().describe('Whether it does not contain the head before it.'),
    seenAt: timestamp(),
  })
  .meta({ id: 'PullRequestHead' });

export const PullRequestComment = z
  .object({
    id: uuid(),
    author: Author,
    body: z.string().describe('Markdown.'),
    createdAt: timestamp(),
    editedAt: timestamp().nullable(),
    url: z.string().nullable().describe('On the code host.'),
    sending: Sending,
    reactions: Reactions,
  })
  .meta({ id: 'PullRequestComment' });

export const DeletedComment = z
  .object({
    id: uuid(),
    createdAt: timestamp(),
    deletedAt: timestamp(),
    deletedBy: z.string().nullable(),
  })
  .meta({ id: 'DeletedComment' });

/** The field of edits that would overwrite each other. */
export const expectedBody = text({ max: LIMITS.commentCharacters })
  .optional()
  .describe('The text that you saw. If it is another one by now, the response is 409.');
export const CommentInput = z.object({ pullRequestId: PullRequestId, commentId: uuid() });
export const EditCommentInput = CommentInput.extend({
  body: requiredText({ max: LIMITS.commentCharacters }),
  expectedBody,
});
/** Earlier texts of a comment, besides its first. */
export const KEPT_EDITS = 100;
export const CommentEdits = z
  .object({
    edits: z
      .array(z.object({ body: z.string(), writtenAt: timestamp(), replacedAt: timestamp() }))
      .describe('What it said before, oldest first; the present text is the comment’s own.'),
    notKept: z
      .int()
      .describe(
        `How many texts after the first were left out: the first and the newest ${KEPT_EDITS} are kept.`,
      ),
  })
  .meta({ id: 'CommentEdits' });

export const PULL_REQUEST_ACTIONS = [
  'comment',
  'review',
  'request_review',
  'dismiss_review',
  'edit',
  'close',
  'reopen',
  'merge',
  'revert',
] as const;

export const PullRequestEvent = z
  .object({
    number: z.int(),
    kind: z.string().describe(`One of ${PULL_REQUEST_EVENT_KINDS.join(', ')}. More kinds may be added.`),
    actor: z.object({
      kind: z.enum(['key', 'session', 'oauth', 'service']),
      id: uuid().nullable(),
      name: z.string().nullable(),
    }),
    createdAt: timestamp(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'PullRequestEvent' });

const TimelineEvent = PullRequestEvent.extend({
  names: z.array(z.string()).describe('Whose review was requested: people and teams.'),
}).meta({ id: 'TimelineEvent' });

export const PullRequest = PullRequestSummary.extend({
  origin: z.enum(['git', 'host']).describe('`git`: opened here between two branches.'),
  description: z.string().describe('Markdown.'),
  url: z.string().nullable().describe('On the code host.'),
  headCommit: z.string().nullable().describe('Null until it was fetched.'),
  baseCommit: z.string().nullable(),
  mergeBase: z.string().nullable(),
  heads: z.array(PullRequestHead).describe('Oldest first; the newest 200.'),
  conflicts: MergeConflicts,
  statuses: z.array(CommitStatus).describe('Of the newest head, by name.'),
  requestedReviewers: z.array(
    z.object({
      id: uuid().nullable().describe('The member; null for teams and for people without an account here.'),
      name: z.string(),
      teamId: uuid().nullable().describe('The team, of which one member answers.'),
      canApprove: z
        .boolean()
        .describe(
          'False for who opened, wrote, committed or pushed some of it: their approval doesn’t count.',
        ),
    }),
  ),
  verdicts: z.array(PullRequestVerdict).describe('Oldest first.'),
  conversation: z.array(PullRequestComment).describe('Comments on no particular file, oldest first.'),
  deletedComments: z.array(DeletedComment).describe('Where comments on no particular file were.'),
  timeline: z
    .array(TimelineEvent)
    .describe(
      `What else the conversation shows, oldest first: events of the kinds ${TIMELINE_EVENT_KINDS.join(', ')} among the newest 1,000.`,
    ),
  plans: z
    .array(
      z.object({
        seriesId: uuid(),
        title: z.string(),
        status: z.enum(PLAN_STATUSES),
        ...reviewStateField,
        files: z.array(z.string()),
      }),
    )
    .describe('The plans that are linked to it, with the files that they name.'),
  muted: z.boolean().describe('Whether you muted it: it no longer shows up in your inbox.'),
  lastSeenHead: z.string().nullable().describe('The head that you last looked at.'),
  mergedAt: timestamp().nullable(),
  closedAt: timestamp().nullable(),
  ...mergeFields,
  automaticReview: AutomaticReview,
  mergeRequirements: MergeRequirements.nullable().describe(
    'What it needs before it can be merged, and what of that is missing. Null once it is merged or closed.',
  ),
  allowedActions: z.array(z.enum(PULL_REQUEST_ACTIONS)),
  allowedVerdicts: z
    .array(z.enum(VERDICTS))
    .describe(
      'Which reviews you can give now: whoever opened, wrote, committed or pushed some of it can’t approve unless nobody else can.',
    ),
  lastEvent: z.int().describe('The number of its latest event.'),
}).meta({ id: 'PullRequest' });

export const PULL_REQUEST_SCOPES = ['mine', 'waiting', 'all'] as const;
export const ListPullRequestsInput = z.object({
  scope: z
    .enum(PULL_REQUEST_SCOPES)
    .optional()
    .describe('`mine`: opened by you. `waiting`: your review is requested. Default: `all`.'),
  repositoryId: uuid().optional(),
  authorId: uuid().optional(),
  state: z
    .enum([...PULL_REQUEST_STATES, 'active', 'all'])
    .optional()
    .describe('`active`: open or draft, the default.'),
  label: text({ max: 300 }).optional(),
  assigneeId: uuid().optional(),
  reviewerId: uuid()
    .optional()
    .describe('Only those that request a review of this person or one of their teams.'),
  openDiscussions: z.boolean().optional().describe('Only those with open discussions.'),
  search: text({ max: 300 }).optional().describe('Filter by part of the title, branch or number.'),
  ...PAGE_INPUT,
});
export const PullRequestPage = z
  .object({
    pullRequests: z.array(PullRequestSummary).describe('Most recently updated first.'),
    nextCursor: nextCursorShape(),
  })
  .meta({ id: 'PullRequestPage' });

export const GetPullRequestInput = z.object({ pullRequestId: PullRequestId });
export const MutePullRequestInput = z.object({ pullRequestId: PullRequestId });
export const GetPullRequestCountsInput = z.object({});
export const PullRequestCounts = z
  .object({ mine: z.int(), waiting: z.int() })
  .describe('Open and draft ones; at most 100 are counted.')
  .meta({ id: 'PullRequestCounts' });

export const OpenPullRequestInput = z.object({
  repository: requiredText({ max: 300 }).describe('`owner/name` or just `name`.'),
  head: Branch.describe('The branch with the changes.'),
  base: Branch.optional().describe('Default: the default branch.'),
  title: requiredText({ max: LIMITS.titleCharacters }),
  description: text({ max: LIMITS.descriptionCharacters }).optional().describe('Markdown.'),
  draft: z.boolean().optional(),
  reviewers: z
    .array(requiredText({ max: 300 }))
    .max(LIMITS.maxReviewers)
    .optional()
    .describe(
      'Members and teams to ask for a review, by the names that mention them: `ada`, `ada@acme.com`, `core`.',
    ),
  skipIfOpen: z
    .boolean()
    .optional()
    .describe('Whether to return the one that is already open for these branches, instead of a conflict.'),
});
export const OpenedPullRequest = PullRequest.extend({
  alreadyOpen: z.boolean().optional().describe('Present with `skipIfOpen`: true if it was open before.'),
}).meta({ id: 'OpenedPullRequest' });

export const ChangePullRequestInput = z.object({
  pullRequestId: PullRequestId,
  title: requiredText({ max: LIMITS.titleCharacters }).optional(),
  description: text({ max: LIMITS.descriptionCharacters }).optional(),
  expectedDescription: text({ max: LIMITS.descriptionCharacters })
    .optional()
    .describe('The description that you saw. If it is another one by now, the response is 409.'),
  base: Branch.optional(),
  state: z.enum([...ACTIVE_PULL_REQUEST_STATES, 'closed']).optional(),
});

export const CommentOnPullRequestInput = z.object({
  pullRequestId: PullRequestId,
  body: requiredText({ max: LIMITS.commentCharacters }).describe('Markdown.'),
});

export const ListPullRequestActivityInput = z.object({ pullRequestId: PullRequestId, ...PAGE_INPUT });
export const PullRequestActivity = z
  .object({ events: z.array(PullRequestEvent).describe('Newest first.'), nextCursor: nextCursorShape() })
  .meta({ id: 'PullRequestActivity' });
const since = z.int().min(0).optional().describe('The number of the last event you have seen.');
export const StreamPullRequestChangesInput = z.object({ pullRequestId: PullRequestId, since });
export const WaitForPullRequestChangesInput = z.object({
  pullRequestId: PullRequestId,
  since,
  waitSeconds: z.int().min(0).max(LIMITS.maxWaitSeconds).optional().describe('Default: 20.'),
});
export const PullRequestChanges = z
  .object({
    events: z.array(PullRequestEvent.extend({ own: z.boolean() })).describe('Oldest first, at most 200.'),
    cursor: z.int(),
    state: z.enum(PULL_REQUEST_STATES),
    openDiscussions: z.int(),
  })
  .meta({ id: 'PullRequestChanges' });
