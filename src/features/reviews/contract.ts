/** The shapes and limits of reviews. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/operations/page.ts';
import { text, timestamp, uuid } from '../../platform/core/operations/shapes.ts';

export * from './agents/agent-review-contract.ts';

export const REVIEW_LIMITS = { maxRuns: 50, noteCharacters: 2000, maxHidden: 100 } as const;
export const REVIEW_TRIGGERS = ['opened', 'pushed', 'ready', 'resolved', 'requested', 'agent'] as const;
export const DISMISSAL_REASONS = ['wrong', 'intended', 'not_worth_it', 'later'] as const;
export const DISMISSAL_SCOPES = ['pull_request', 'path', 'symbol', 'repository', 'organization'] as const;

export const ReviewRun = z
  .object({
    id: uuid(),
    trigger: z
      .enum(REVIEW_TRIGGERS)
      .describe('`ready`: no longer a draft. `resolved`: the last open discussion was resolved.'),
    requestedBy: z.string().nullable(),
    headCommit: z.string(),
    mergeBase: z.string(),
    state: z.enum(['done', 'failed', 'skipped']),
    problem: z.string().nullable().describe('Why it failed or was skipped.'),
    files: z.int(),
    addedLines: z.int(),
    findings: z.int().describe('New findings; each is a discussion.'),
    startedAt: timestamp(),
    finishedAt: timestamp(),
  })
  .meta({ id: 'ReviewRun' });

export const ReviewCandidate = z
  .object({
    reviewerTitle: z.string(),
    check: z.string(),
    claim: z.string(),
    title: z.string(),
    scenario: z.string(),
    file: z.string(),
    side: z.enum(['base', 'head']).describe('`base`: a removed line, at the merge base.'),
    line: z.int(),
    quote: z.string(),
    evidence: z.array(
      z.object({
        side: z.enum(['base', 'head']),
        path: z.string(),
        line: z.int(),
        quote: z.string(),
        repository: z
          .object({ id: uuid(), name: z.string(), commit: z.string() })
          .nullable()
          .describe('Set when the place is in another repository.'),
      }),
    ),
    command: z.string().nullable().describe('A command that shows the same in any clone.'),
    fix: z.string().nullable().describe('What the quoted lines should be instead.'),
    producer: z
      .object({
        kind: z.enum(['agent', 'model', 'tool']),
        userName: z.string().nullable(),
        vendor: z.string().nullable().describe('The name given by the agent, or by the key that sent it.'),
        model: z.string().nullable(),
        sessionId: z.string().nullable(),
      })
      .nullable()
      .describe('Who reported it; null for built-in checks.'),
    confirmedBy: z.string().nullable().describe('Who confirmed it, when no check could prove it.'),
    fate: z.enum(['finding', 'refused', 'known', 'grouped', 'held_back']),
    fateReason: z.string().nullable(),
    discussionId: uuid().nullable(),
    discussionStatus: z.enum(['open', 'addressed', 'resolved']).nullable(),
    isDismissed: z
      .boolean()
      .describe('Whether the discussion is resolved because the finding was dismissed.'),
  })
  .meta({ id: 'ReviewCandidate' });

export const ReviewRunDetails = ReviewRun.extend({
  pullRequestId: uuid(),
  candidates: z.array(ReviewCandidate),
  notReviewed: z.array(z.object({ path: z.string(), reason: z.string() })),
  moreFiles: z.int().describe('Files beyond the limit of 3,000, which were not looked at.'),
  modelUsage: z
    .array(z.object({ model: z.string(), requests: z.int(), inputTokens: z.int(), outputTokens: z.int() }))
    .describe('What the review used, by model; empty without a model.'),
  checks: z.array(
    z.object({
      name: z.string(),
      looksFor: z.string(),
      candidates: z.int(),
      failure: z.string().nullable(),
      note: z.string().optional().describe('A sentence for the summary.'),
    }),
  ),
}).meta({ id: 'ReviewRunDetails' });

export const UntestedExports = z
  .object({
    places: z
      .array(z.object({ name: z.string(), path: z.string(), line: z.int() }))
      .describe('At the reviewed commit, at most 200.'),
  })
  .meta({ id: 'UntestedExports' });

export const ListReviewRunsInput = z.object({ pullRequestId: uuid() });
export const ReviewRuns = z
  .object({
    runs: z.array(ReviewRun).describe('Newest first, at most 50.'),
    due: z.boolean().describe('Whether a review is queued or running.'),
  })
  .meta({ id: 'ReviewRuns' });
export const GetReviewRunInput = z.object({ runId: uuid() });
export const RequestReviewRunInput = z.object({ pullRequestId: uuid() });
export const RequestedReview = z.object({ due: z.literal(true) }).meta({ id: 'RequestedReview' });

const scope = z
  .enum(DISMISSAL_SCOPES)
  .describe(
    'Where it is not raised again: this finding in the pull request, the repository or the organization; or, in the repository, everything the check finds in this file (`path`) or about this subject (`symbol`). Secrets and security findings have no `path` and `symbol`, secrets no `organization`.',
  );
export const DismissFindingInput = z.object({
  discussionId: uuid(),
  reason: z.enum(DISMISSAL_REASONS),
  scope,
  note: text({ max: REVIEW_LIMITS.noteCharacters }).optional(),
});

export const PreviewDismissalInput = z.object({ discussionId: uuid(), scope });
export const DismissalPreview = z
  .object({
    check: z.string(),
    looksFor: z.string().nullable().describe('What the check looks for; null for rules of custom reviewers.'),
    subject: z.string().nullable().describe('What it is about; null if the check is about lines alone.'),
    path: z.string(),
    scopes: z.array(z.enum(DISMISSAL_SCOPES)).describe('Those that this finding can be dismissed with.'),
    pausesCheck: z
      .boolean()
      .describe('Whether dismissing it as wrong pauses its check in the repository: it is the second one.'),
    hides: z
      .array(
        z.object({
          discussionId: uuid(),
          title: z.string(),
          file: z.string(),
          line: z.int(),
          repository: z.string(),
          pullRequestId: uuid(),
          pullRequestNumber: z.int(),
        }),
      )
      .describe('Other open findings that would be dismissed too, at most 100, in repositories you can see.'),
  })
  .meta({ id: 'DismissalPreview' });

export const Dismissal = z
  .object({
    id: uuid(),
    title: z.string().describe('Of the finding.'),
    reviewer: z
      .string()
      .describe('The title of the reviewer, or the name of the agent or tool that reported it.'),
    check: z.string(),
    path: z.string(),
    subject: z.string().nullable().describe('What it is about; null if the check is about lines alone.'),
    repository: z.object({ id: uuid(), name: z.string() }),
    pullRequest: z.object({ id: uuid(), number: z.int() }),
    discussionId: uuid(),
    reason: z.enum(DISMISSAL_REASONS),
    note: z.string().nullable(),
    scope: z.enum(DISMISSAL_SCOPES),
    dismissedBy: z.string(),
    dismissedAt: timestamp(),
  })
  .meta({ id: 'Dismissal' });
export const ListDismissalsInput = z.object({
  repositoryId: uuid().optional().describe('Only of findings in this repository.'),
  reviewerId: uuid().optional().describe('Only of findings of this reviewer.'),
  ...PAGE_INPUT,
});
export const DismissalPage = z
  .object({ dismissals: z.array(Dismissal), nextCursor: nextCursorShape() })
  .meta({ id: 'DismissalPage' });
export const UndoDismissalInput = z.object({ dismissalId: uuid() });

export const FIGURE_WEEKS = 12;
const FINDING_FIGURES = {
  findings: z.int().describe('That became discussions.'),
  addressed: z.int().describe('By a later commit, or resolved by a person.'),
  dismissed: z.int(),
};
export const GetReviewFiguresInput = z.object({
  reviewerId: uuid().optional().describe('Only findings of this reviewer.'),
});
export const ReviewFigures = z
  .object({
    weeks: z
      .array(
        z.object({
          week: timestamp(),
          pullRequests: z.int().describe('Opened in this week and reviewed.'),
          secondsToFirstReview: z.int().nullable().describe('The median, from when they were opened.'),
          ...FINDING_FIGURES,
        }),
      )
      .describe('Oldest first.'),
    reviewers: z
      .array(
        z.object({
          id: uuid()
            .nullable()
            .describe('Null for agents and tools, and for reviewers that were deleted or live in files.'),
          kind: z
            .enum(['reviewer', 'agent', 'tool'])
            .describe('Findings of agents and tools count as their own, not as those of a reviewer.'),
          title: z.string().describe('The name of an agent or tool is what it calls itself.'),
          ...FINDING_FIGURES,
        }),
      )
      .describe('Those with findings, most findings first.'),
  })
  .meta({ id: 'ReviewFigures' });
