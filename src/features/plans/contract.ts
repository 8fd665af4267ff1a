/** The plans' shapes and limits. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/page.ts';
import {
  requiredText,
  settingValue,
  streamedArray,
  text,
  timestamp,
  uuid,
} from '../../platform/core/shapes.ts';

export const PLAN_STATUSES = ['pending', 'approved', 'implemented', 'closed', 'deleted'] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

export const REVIEW_STATES = ['awaiting_review', 'changes_requested', 'approved'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

export const TRIAGE_STATES = ['open', 'dismissed'] as const;

export const LIMITS = {
  contentCharacters: 1_048_576,
  repositories: 100,
  repositoryCharacters: 300,
  modelCharacters: 200,
  commentCharacters: 65_536,
  anchorCharacters: 65_536,
  noteCharacters: 10_000,
  pullRequestNumber: 2_147_483_647,
  reviewersAtOnce: 50,
  searchCharacters: 200,
  maxWaitSeconds: 55,
} as const;

const SeriesId = uuid().describe('The plan: the `seriesKey` it was posted with.');
const VersionNumber = z.int().min(1).max(2_147_483_647);
const Note = text({ max: LIMITS.noteCharacters });
const RepositoryName = requiredText({ max: LIMITS.repositoryCharacters });

export const Person = z.object({ id: uuid(), name: z.string() }).meta({ id: 'Person' });

// Endpoints 8 to 12.

export const PlanRepository = z
  .object({ repoId: uuid().nullable(), repoName: z.string() })
  .meta({ id: 'PlanRepository' });

export const PlanPullRequest = z
  .object({
    repoId: uuid().nullable(),
    repoName: z.string().nullable(),
    prNumber: z.int(),
    url: z.string().nullable(),
    linkedAt: timestamp(),
  })
  .meta({ id: 'PlanPullRequest' });

export const TokensUsed = z.object({
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
});

export const SubmitPlanInput = z.object({
  seriesKey: uuid().describe(
    'The plan, named by the id of the agent session; the same again adds a version.',
  ),
  content: requiredText({ max: LIMITS.contentCharacters }).describe('The plan, in Markdown.'),
  agentVendor: settingValue('agentVendors', { max: 100 }).describe('The agent client that wrote it.'),
  repoNames: z
    .array(RepositoryName)
    .max(LIMITS.repositories)
    .optional()
    .describe(
      'The repositories it applies to. Left out in a later version, those of the version before stay.',
    ),
  repoIds: z.array(uuid()).max(LIMITS.repositories).optional().describe('Used in place of `repoNames`.'),
  modelId: text({ max: LIMITS.modelCharacters }).optional().describe('The model that wrote it.'),
  tokensUsed: TokensUsed.optional(),
  baseVersion: z
    .int()
    .min(0)
    .max(2_147_483_647)
    .optional()
    .describe(
      'The version that this one is based on. Refused with a conflict when the plan has a newer one.',
    ),
  skipIfUnchanged: z
    .boolean()
    .optional()
    .describe(
      'Add no version when the newest one has this content and these repositories. Without it every post adds one.',
    ),
});

/** A plan with its newest version, as endpoints 8 and 12 answer. */
export const Plan = z
  .object({
    seriesId: uuid(),
    seriesKey: uuid(),
    versionId: uuid(),
    version: z.int(),
    title: z.string(),
    status: z.enum(PLAN_STATUSES),
    content: z.string(),
    agentVendor: z.string(),
    modelId: z.string().nullable(),
    tokensUsed: TokensUsed.nullable(),
    repoNames: z.array(z.string()),
    repoIds: z.array(uuid()),
    repos: z.array(PlanRepository),
    pullRequests: z.array(PlanPullRequest),
    createdBy: Person,
    createdAt: timestamp(),
    updatedAt: timestamp(),
    url: z.string().describe("The plan's page."),
  })
  .meta({ id: 'Plan' });

export const SubmittedPlan = Plan.extend({
  alreadyPosted: z
    .boolean()
    .optional()
    .describe('Sent with `skipIfUnchanged`: whether no version was added.'),
}).meta({ id: 'SubmittedPlan' });

export const PlanComment = z
  .object({
    id: uuid(),
    versionId: uuid().describe('The version it belongs to.'),
    parentId: uuid().nullable(),
    body: z.string(),
    authorName: z.string(),
    anchor: z.string().nullable().describe('The place in the plan that it points to.'),
    triageState: z.enum(TRIAGE_STATES).nullable(),
    createdAt: timestamp(),
  })
  .meta({ id: 'PlanComment' });

export const ListPlanCommentsInput = z.object({ seriesId: SeriesId });
export const PlanComments = z
  .object({
    comments: streamedArray(PlanComment, 'Oldest first.'),
    mutedThreadIds: z.array(uuid()).describe('The first comments of the threads that you muted.'),
  })
  .meta({ id: 'PlanComments' });

export const AddPlanCommentInput = z.object({
  seriesId: SeriesId,
  body: requiredText({ max: LIMITS.commentCharacters }),
  versionId: uuid().describe('The version it belongs to.'),
  parentId: uuid().optional().describe('The comment it replies to.'),
  anchor: text({ max: LIMITS.anchorCharacters })
    .optional()
    .describe(
      'The place it points to: words of the plan, or `{"quote", "prefix", "suffix", "heading"}` as JSON text.',
    ),
  skipIfPosted: z
    .boolean()
    .optional()
    .describe('Add nothing when you already replied to the same comment with the same text.'),
});

export const AddedPlanComment = PlanComment.extend({
  alreadyPosted: z
    .boolean()
    .optional()
    .describe('Sent with `skipIfPosted`: whether this is the reply from before.'),
}).meta({ id: 'AddedPlanComment' });

export const ChangePlanCommentInput = z.object({
  seriesId: SeriesId,
  commentId: uuid(),
  body: requiredText({ max: LIMITS.commentCharacters }).optional().describe('Only by its author.'),
  triageState: z.enum(TRIAGE_STATES).nullable().optional().describe('By any member; null clears it.'),
});

export const LinkPullRequestInput = z.object({
  seriesId: SeriesId,
  prNumber: z.int().min(1).max(LIMITS.pullRequestNumber),
  repoName: RepositoryName.optional(),
  repoId: uuid().optional().describe('Used in place of `repoName`.'),
});

// What people do in the web app.

export const ListPlansInput = z.object({
  status: z.enum(['pending', 'approved', 'implemented', 'closed']).optional(),
  review: z
    .enum(['awaiting_review', 'changes_requested', 'needs_my_review'])
    .optional()
    .describe(
      'Pending plans only. `needs_my_review`: your review was requested, or the content changed since you reviewed it.',
    ),
  repository: text({ max: LIMITS.repositoryCharacters })
    .optional()
    .describe('Full name or leaf name, in any case.'),
  authorId: uuid().optional().describe('Who created it.'),
  agentVendor: text({ max: 100 }).optional(),
  search: text({ max: LIMITS.searchCharacters })
    .optional()
    .describe('Words of the title or the content; the beginning of each is enough.'),
  ...PAGE_INPUT,
});

const reviewFields = {
  reviewState: z
    .enum(REVIEW_STATES)
    .nullable()
    .describe('Where the review of the current content stands; null when the plan is implemented or closed.'),
  needsMyReview: z.boolean().describe('Whether the plan is pending and your review is awaited.'),
};

export const PlanSummary = z
  .object({
    seriesId: uuid(),
    title: z.string(),
    status: z.enum(PLAN_STATUSES),
    ...reviewFields,
    version: z.int(),
    agentVendor: z.string(),
    repos: z.array(PlanRepository),
    commentCount: z.int().describe('All comments, replies and dismissed ones included.'),
    createdBy: Person,
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'PlanSummary' });
export const PlanPage = z
  .object({ plans: z.array(PlanSummary), nextCursor: nextCursorShape() })
  .meta({ id: 'PlanPage' });

export const GetReviewCountsInput = z.object({});
export const ReviewCounts = z
  .object({
    needsMyReview: z.int().describe('Pending plans that await your review.'),
    changesRequested: z.int().describe('Pending plans that you created and to which changes were requested.'),
  })
  .meta({ id: 'ReviewCounts' });

const ActorShape = z.object({
  kind: z.enum(['key', 'session', 'oauth', 'service']).describe('How they proved who they are.'),
  id: uuid().nullable(),
  name: z.string().nullable(),
});

export const PlanVersionSummary = z
  .object({
    versionId: uuid(),
    version: z.int(),
    title: z.string(),
    unchanged: z.boolean().describe('Whether the version before has the same content.'),
    author: Person,
    authorKind: z.enum(['key', 'session', 'oauth']),
    agentVendor: z.string(),
    modelId: z.string().nullable(),
    tokensUsed: TokensUsed.nullable(),
    createdAt: timestamp(),
  })
  .meta({ id: 'PlanVersionSummary' });

export const PlanReview = z
  .object({
    id: uuid(),
    versionId: uuid(),
    version: z.int(),
    reviewer: Person,
    verdict: z.enum(['approved', 'changes_requested']),
    note: z.string().nullable(),
    createdAt: timestamp(),
    withdrawnAt: timestamp().nullable(),
  })
  .meta({ id: 'PlanReview' });

export const PlanAction = z.enum([
  'comment',
  'approve',
  'request_changes',
  'withdraw_approval',
  'mark_implemented',
  'close',
  'reopen',
  'delete',
  'request_review',
]);

export const RepositoryFreshness = z
  .object({
    repoId: uuid().nullable(),
    repoName: z.string(),
    headThen: z.string().nullable().describe('Its newest commit when the version was posted, as known then.'),
    headNow: z.string().nullable(),
    state: z
      .enum(['unknown', 'current', 'behind'])
      .describe('`unknown` until the repository is indexed; `behind` when it has newer commits.'),
    changedFiles: z
      .array(z.string())
      .nullable()
      .describe('Files named in the plan that changed since; null when that is not known.'),
  })
  .meta({ id: 'RepositoryFreshness' });

export const PlannerSession = z
  .object({
    eventCount: z.int(),
    firstEventAt: timestamp(),
    lastEventAt: timestamp(),
    durationSeconds: z.int(),
    agentVendor: z.string().nullable(),
    modelId: z.string().nullable(),
    tokensUsed: TokensUsed.nullable(),
    repositories: z.array(z.string()),
  })
  .meta({ id: 'PlannerSession' });

export const PlanStructure = z
  .object({
    sections: z.array(
      z.object({ title: z.string(), kind: z.string(), level: z.int(), start: z.int(), end: z.int() }),
    ),
    steps: z.array(
      z.object({
        text: z.string(),
        done: z.boolean().nullable(),
        section: z.string().nullable(),
        start: z.int(),
        end: z.int(),
      }),
    ),
    files: z.array(z.string()),
    repositories: z.array(z.string()),
  })
  .meta({ id: 'PlanStructure' });

export const GetPlanInput = z.object({ seriesId: SeriesId });
export const PlanDetail = Plan.extend({
  ...reviewFields,
  commentCount: z.int().describe('All comments, replies and dismissed ones included.'),
  versions: z.array(PlanVersionSummary).describe('Newest first; at most 500.'),
  reviews: z.array(PlanReview).describe('Newest first; at most 200.'),
  reviewRequests: z.array(z.object({ reviewer: Person, requestedBy: Person, requestedAt: timestamp() })),
  structure: PlanStructure,
  freshness: z.array(RepositoryFreshness),
  session: PlannerSession.nullable().describe('What the agent reported about the session, if anything.'),
  actions: z.array(PlanAction).describe('What you may do with it now.'),
  approvalBlockedBecause: z
    .string()
    .nullable()
    .describe('Why you may not approve this version, when that is so.'),
  lastEvent: z.int().describe('The cursor of its change feed.'),
}).meta({ id: 'PlanDetail' });

export const GetPlanVersionInput = z.object({ seriesId: SeriesId, version: VersionNumber });
export const PlanVersion = PlanVersionSummary.extend({
  content: z.string(),
  repos: z.array(PlanRepository.extend({ headCommit: z.string().nullable() })),
  structure: PlanStructure,
}).meta({ id: 'PlanVersion' });

export const ComparePlanVersionsInput = z.object({
  seriesId: SeriesId,
  from: VersionNumber,
  to: VersionNumber,
});
const Span = z.object({ start: z.int(), end: z.int() });
export const PlanDifference = z
  .object({
    from: z.object({ version: z.int(), content: z.string() }),
    to: z.object({ version: z.int(), content: z.string() }),
    blocks: streamedArray(
      z.object({
        change: z.enum(['same', 'added', 'removed', 'changed', 'moved']),
        kind: z.string(),
        before: Span.nullable(),
        after: Span.nullable(),
        changeNumber: z
          .int()
          .optional()
          .describe(
            'Which change it is part of, from 1 to `stats.changes`. Left out of blocks that are the same.',
          ),
        words: z
          .array(z.object({ change: z.enum(['same', 'added', 'removed']), text: z.string() }))
          .optional(),
      }),
      'In the order of the newer version, with removed blocks where they stood.',
    ),
    stats: z
      .object({
        changes: z.int().describe('The sum of the four kinds.'),
        added: z.int(),
        removed: z.int(),
        changed: z.int(),
        moved: z.int(),
        wordsAdded: z.int(),
        wordsRemoved: z.int(),
      })
      .describe(
        'Adjacent added blocks count as one change, as do adjacent removed blocks. Each changed or moved block counts as one.',
      ),
    truncated: z.boolean().describe('Whether the difference by word was left out because it is too large.'),
  })
  .meta({ id: 'PlanDifference' });

export const ApprovePlanInput = z.object({
  seriesId: SeriesId,
  versionId: uuid().describe('The version that you read: approval belongs to it.'),
  note: Note.optional(),
});
export const RequestPlanChangesInput = z.object({
  seriesId: SeriesId,
  versionId: uuid(),
  note: requiredText({ max: LIMITS.noteCharacters }),
});
export const ChangePlanStatusInput = z.object({ seriesId: SeriesId, note: Note.optional() });
export const RequestPlanReviewInput = z.object({
  seriesId: SeriesId,
  userIds: z.array(uuid()).min(1).max(LIMITS.reviewersAtOnce),
});

export const AnchorPlacement = z
  .discriminatedUnion('result', [
    z.object({ result: z.literal('exact'), start: z.int(), end: z.int() }),
    z.object({ result: z.literal('moved'), start: z.int(), end: z.int() }),
    z.object({
      result: z.literal('edited'),
      start: z.int(),
      end: z.int(),
      oldText: z.string(),
      newText: z.string(),
    }),
    z.object({ result: z.literal('orphaned'), heading: z.string().nullable() }),
  ])
  .meta({ id: 'AnchorPlacement' });

export const ListPlanThreadsInput = z.object({
  seriesId: SeriesId,
  version: VersionNumber.optional().describe('Where anchors are looked for; the newest version unless told.'),
  commentId: uuid().optional().describe('Only the thread that has this comment.'),
  ...PAGE_INPUT,
});
export const ThreadComment = PlanComment.extend({
  threadId: uuid().describe('The first comment of its thread.'),
  author: Person,
  authorKind: z.enum(['key', 'session', 'oauth']),
  version: z.int().describe('The version it belongs to.'),
  editedAt: timestamp().nullable(),
  quote: z.string().nullable().describe('The words that its anchor points to, when they were found.'),
  placement: AnchorPlacement.nullable().describe('Where those words are in the version asked for.'),
  addressed: z
    .object({ version: z.int(), oldText: z.string(), newText: z.string() })
    .nullable()
    .describe('The later version that changed those words.'),
}).meta({ id: 'ThreadComment' });
export const PlanThreads = z
  .object({
    version: z.int(),
    status: z.enum(PLAN_STATUSES),
    lastEvent: z.int().describe('The cursor of the change feed, before the comments were read.'),
    comments: z.array(ThreadComment).describe('Oldest first.'),
    mutedThreadIds: z.array(uuid()),
    nextCursor: nextCursorShape(),
  })
  .meta({ id: 'PlanThreads' });

export const MuteThreadInput = z.object({ seriesId: SeriesId, threadId: uuid() });

export const OverlappingPlansInput = z.object({ seriesId: SeriesId });
export const OverlappingPlans = z
  .object({
    plans: z
      .array(
        PlanSummary.extend({
          sharedRepositories: z.array(z.string()),
          sharedFiles: z.array(z.string()).describe('At most 100.'),
          sharedFileCount: z.int(),
        }),
      )
      .describe('Pending and approved plans that name the same repositories, most files in common first.'),
  })
  .meta({ id: 'OverlappingPlans' });

export const PLAN_EVENT_KINDS = [
  'plan_created',
  'version_added',
  'status_changed',
  'approved',
  'approval_withdrawn',
  'changes_requested',
  'review_requested',
  'comment_added',
  'comment_edited',
  'comment_triaged',
  'comments_addressed',
  'pull_request_linked',
] as const;
export type PlanEventKind = (typeof PLAN_EVENT_KINDS)[number];

export const PlanEvent = z
  .object({
    number: z.int().describe('Counts up by one from 1 in each plan: also the cursor of its change feed.'),
    kind: z.string().describe(`One of ${PLAN_EVENT_KINDS.join(', ')}; more may come.`),
    actor: ActorShape,
    createdAt: timestamp(),
    data: z
      .record(z.string(), z.unknown())
      .describe('What changed: `from`, `to`, `note`, `version`, `versionId`, `commentId` and the like.'),
  })
  .meta({ id: 'PlanEvent' });

export const ListPlanActivityInput = z.object({ seriesId: SeriesId, ...PAGE_INPUT });
export const PlanActivity = z
  .object({
    events: z.array(PlanEvent).describe('Newest first.'),
    nextCursor: nextCursorShape(),
  })
  .meta({ id: 'PlanActivity' });

export const WaitForPlanChangesInput = z.object({
  seriesId: SeriesId,
  since: z.int().min(0).optional().describe('The number of the last event you know; the newest unless told.'),
  waitSeconds: z.int().min(0).max(LIMITS.maxWaitSeconds).optional().describe('20 unless told.'),
});
export const PlanChanges = z
  .object({
    events: z
      .array(
        PlanEvent.extend({
          own: z.boolean().describe('Whether it was done with the credential of this request.'),
        }),
      )
      .describe('Oldest first, at most 200; empty when the time ran out.'),
    comments: z.array(PlanComment).describe('The comments that the events name, as they are now.'),
    cursor: z.int().describe('Send it as `since` next time.'),
    status: z.enum(PLAN_STATUSES),
    version: z.int(),
  })
  .meta({ id: 'PlanChanges' });

export const StreamPlanChangesInput = z.object({
  seriesId: SeriesId,
  since: z.int().min(0).optional().describe('As `Last-Event-ID`, which wins.'),
});
