/** The shapes of plans: posted, listed and read. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../../platform/core/operations/page.ts';
import {
  requiredText,
  settingValue,
  text,
  timestamp,
  uuid,
} from '../../../platform/core/operations/shapes.ts';
import {
  LIMITS,
  Person,
  PLAN_STATUSES,
  PULL_REQUEST_STATES,
  RepositoryName,
  SeriesId,
  TokensUsed,
} from './contract-fields.ts';
import { PlanReview, reviewFields, reviewStateField } from './review-contract.ts';
import { PlanRepository, PlanStructure, PlanVersionSummary } from './version-contract.ts';

export const PlanPullRequest = z
  .object({
    repoId: uuid().nullable(),
    repoName: z.string().nullable(),
    prNumber: z.int(),
    pullRequestId: uuid().nullable().describe('Null if the pull request is not known here.'),
    title: z.string().nullable(),
    state: z.enum(PULL_REQUEST_STATES).nullable(),
    url: z
      .string()
      .nullable()
      .describe('On the code host, or else its page here; null if the pull request is not known here.'),
    linkedAt: timestamp(),
  })
  .meta({ id: 'PlanPullRequest' });

export const SubmitPlanInput = z.object({
  seriesKey: uuid().describe(
    'The ID of the plan, usually the ID of the agent session. Posting to an existing plan adds a version.',
  ),
  content: requiredText({ max: LIMITS.contentCharacters }).describe('The text of the plan, in Markdown.'),
  agentVendor: settingValue('agentVendors', { max: 100 }).describe('The agent client that wrote it.'),
  repoNames: z
    .array(RepositoryName)
    .max(LIMITS.repositories)
    .optional()
    .describe(
      'The repositories the plan applies to. If omitted in a later version, the previous ones are kept.',
    ),
  repoIds: z.array(uuid()).max(LIMITS.repositories).optional().describe('Takes precedence over `repoNames`.'),
  modelId: text({ max: LIMITS.modelCharacters }).optional().describe('The model that wrote it.'),
  tokensUsed: TokensUsed.optional(),
  baseVersion: z
    .int()
    .min(0)
    .max(2_147_483_647)
    .optional()
    .describe(
      'The version this one is based on. The request fails with a conflict if the plan has a newer version.',
    ),
  skipIfUnchanged: z
    .boolean()
    .optional()
    .describe(
      'Do nothing if the latest version has the same content and repositories. By default, every post adds a version.',
    ),
});

/** A plan with its latest version, as endpoints 8 and 12 return it. */
export const Plan = z
  .object({
    seriesId: uuid(),
    seriesKey: uuid(),
    versionId: uuid(),
    version: z.int(),
    title: z.string(),
    status: z.enum(PLAN_STATUSES),
    ...reviewStateField,
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
    .describe('Present with `skipIfUnchanged`: true if no version was added.'),
}).meta({ id: 'SubmittedPlan' });

export const LinkPullRequestInput = z.object({
  seriesId: SeriesId,
  prNumber: z.int().min(1).max(LIMITS.pullRequestNumber),
  repoName: RepositoryName.optional(),
  repoId: uuid().optional().describe('Takes precedence over `repoName`.'),
});

export const ListPlansInput = z.object({
  status: z.enum(['pending', 'approved', 'implemented', 'closed']).optional(),
  review: z
    .enum(['awaiting_review', 'changes_requested', 'needs_my_review'])
    .optional()
    .describe(
      'Returns pending plans only. `needs_my_review`: your review was requested, or the content changed after you reviewed it; also of implemented plans that nobody approved.',
    ),
  repository: text({ max: LIMITS.repositoryCharacters })
    .optional()
    .describe('Full name or last path segment, case-insensitive.'),
  authorId: uuid().optional().describe('The user who created the plan.'),
  agentVendor: text({ max: 100 }).optional(),
  search: text({ max: LIMITS.searchCharacters })
    .optional()
    .describe('Words in the title or content. Prefixes match.'),
  ...PAGE_INPUT,
});

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
    headThen: z.string().nullable().describe('The latest known commit when the version was posted.'),
    headNow: z.string().nullable(),
    state: z
      .enum(['unknown', 'current', 'behind'])
      .describe('`unknown` until the repository is indexed; `behind` if it has newer commits.'),
    changedFiles: z
      .array(z.string())
      .nullable()
      .describe('Files named in the plan that changed since then; null if unknown.'),
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

export const GetPlanInput = z.object({ seriesId: SeriesId });
export const PlanDetail = Plan.extend({
  ...reviewFields,
  commentCount: z.int().describe('All comments, replies and dismissed ones included.'),
  versions: z.array(PlanVersionSummary).describe('Newest first; at most 500.'),
  reviews: z.array(PlanReview).describe('Newest first; at most 200.'),
  reviewRequests: z.array(z.object({ reviewer: Person, requestedBy: Person, requestedAt: timestamp() })),
  structure: PlanStructure,
  freshness: z.array(RepositoryFreshness),
  session: PlannerSession.nullable().describe('What the agent reported about its session, if anything.'),
  actions: z.array(PlanAction).describe('The actions you can take now.'),
  approvalBlockedBecause: z
    .string()
    .nullable()
    .describe("Why you can't approve this version; null if you can."),
  lastEvent: z.int().describe("The current cursor of the plan's change feed."),
}).meta({ id: 'PlanDetail' });

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
      .describe(
        'Pending and approved plans for the same repositories, those with the most shared files first.',
      ),
  })
  .meta({ id: 'OverlappingPlans' });
