/** The shapes and limits of reviews by agents and tools. */

import { z } from 'zod';
import { CLAIMS } from '../../../engines/review/contract/code-review.ts';
import { FINDING_LIMITS, REPORT_LIMITS } from '../../../engines/review/contract/finding-limits.ts';
import { requiredText, text, timestamp, uuid } from '../../../platform/core/operations/shapes.ts';

export const AGENT_REVIEW_LIMITS = {
  leaseMinutes: 30,
  /** Per key or agent. */
  openReviews: 10,
  ...REPORT_LIMITS,
  verdicts: 50,
  /** Findings to verify in one reply. */
  handedOut: 10,
  lookedAt: 3000,
} as const;

const RunId = uuid().describe('From `start_review`.');
const Path = requiredText({ max: 4096 });
const Line = z.int().min(1).max(10_000_000);

export const StartReviewInput = z.object({
  runId: uuid().optional().describe('One of your reviews, to continue reading it.'),
  repository: requiredText({ max: 300 }).optional().describe('Its full name, or the last part.'),
  prNumber: z.int().min(1).max(2_000_000_000).optional().describe('A pull request.'),
  branch: requiredText({ max: 1000 }).optional().describe('A pushed branch or commit.'),
  diff: requiredText({ max: AGENT_REVIEW_LIMITS.diffCharacters })
    .optional()
    .describe('Output of `git diff BASE`.'),
  base: requiredText({ max: 1000 }).optional().describe('The pushed commit that `diff` applies to.'),
  reviewers: z
    .array(requiredText({ max: 200 }))
    .max(50)
    .optional()
    .describe('Titles. Default: all.'),
  tool: requiredText({ max: 100 }).optional().describe('Only to send results of an analyzer: its name.'),
  agentVendor: text({ max: 100 }).optional().describe('Your client.'),
  model: text({ max: 100 }).optional().describe('Your model.'),
  sessionId: text({ max: 1000 }).optional().describe('Its UUID.'),
});

const Hunk = z.object({
  oldStart: z.int(),
  oldLines: z.int(),
  newStart: z.int(),
  newLines: z.int(),
  removed: z.array(z.string()),
  added: z.array(z.string()),
});

const AgentFinding = z
  .object({
    id: uuid(),
    title: z.string(),
    scenario: z.string(),
    file: z.string(),
    line: z.int(),
    side: z
      .enum(['base', 'head'])
      .describe('`base`: the line was removed, and is numbered as before the change.'),
    quote: z.string(),
    claim: z.string(),
    subject: z.string(),
    evidence: z.array(
      z.object({
        path: z.string(),
        line: z.int(),
        quote: z.string(),
        repository: z
          .object({ name: z.string(), commit: z.string() })
          .nullable()
          .describe('Set when the place is in another repository.'),
      }),
    ),
    check: z.string().describe('What found it.'),
    proof: z.enum(['proven', 'unverified']),
  })
  .meta({ id: 'AgentFinding' });

export const AgentReview = z
  .object({
    runId: uuid(),
    leaseUntil: timestamp().describe('Every call renews it.'),
    repository: z.string(),
    prNumber: z.int().nullable().describe('Null: the findings are for you alone.'),
    headCommit: z.string(),
    mergeBase: z.string(),
    reviewers: z.array(
      z.object({
        title: z.string(),
        looksFor: z.string(),
        instructions: z.string().nullable(),
        paths: z.array(z.string()).describe('Globs; empty: all paths.'),
      }),
    ),
    doNotRaise: z.array(
      z.object({ title: z.string(), file: z.string(), quote: z.string(), reason: z.string() }),
    ),
    found: z.array(AgentFinding).describe('What was found in this review before.'),
    files: z.array(
      z.object({
        path: z.string(),
        oldPath: z.string().nullable(),
        change: z.string(),
        hunks: z.array(Hunk),
      }),
    ),
    notReviewed: z.array(z.object({ path: z.string(), reason: z.string() })),
    moreFiles: z.int(),
    addedLines: z.int(),
    warning: z.string().nullable(),
  })
  .meta({ id: 'AgentReview' });

export const MarkReviewServedInput = z.object({
  runId: RunId,
  paths: z.array(Path).max(AGENT_REVIEW_LIMITS.lookedAt),
});

export const ReportFindingInput = z.object({
  runId: RunId,
  file: Path.describe('Its path.'),
  line: Line.describe('As `start_review` numbers it.'),
  quote: requiredText({ max: 4000 }).optional().describe('The wrong lines, copied exactly.'),
  claim: z.enum(CLAIMS).describe('What you claim.'),
  subject: requiredText({ max: REPORT_LIMITS.subjectCharacters }).describe('A symbol, path or package.'),
  title: requiredText({ max: REPORT_LIMITS.titleCharacters }).describe('One line.'),
  scenario: requiredText({ max: REPORT_LIMITS.scenarioCharacters }).describe(
    'What input or event breaks what.',
  ),
  evidence: z
    .array(z.object({ path: Path, line: Line, quote: requiredText({ max: 1000 }) }))
    .max(FINDING_LIMITS.evidence)
    .optional()
    .describe('Lines that show it.'),
  fix: text({ max: 4000 }).optional().describe('Replaces the quoted lines.'),
  cause: requiredText({ max: 4110 })
    .regex(/:[1-9]\d{0,7}$/, 'must be path:line')
    .optional()
    .describe('`path:line` of a changed line, if the quoted one is unchanged.'),
  reviewer: requiredText({ max: 200 }).optional().describe('Whose instructions you follow.'),
  rule: requiredText({ max: 200 }).optional().describe('Of an analyzer.'),
});

export const ReportedFindingReply = z
  .object({
    status: z.enum(['accepted', 'refused', 'duplicate', 'decided']),
    reason: z.string().nullable(),
    findingId: uuid().nullable().describe('Of a duplicate, the finding or discussion that it repeats.'),
    discussionStatus: z
      .enum(['open', 'addressed', 'resolved'])
      .nullable()
      .describe('Of a duplicate that is a discussion of the pull request.'),
    proof: z.enum(['proven', 'unverified']).nullable(),
    line: z.int(),
  })
  .meta({ id: 'ReportedFindingReply' });

export const VERDICTS = ['confirmed', 'refuted', 'unsure'] as const;

export const VerifyFindingsInput = z.object({
  runId: RunId,
  verdicts: z
    .array(
      z.object({
        findingId: uuid(),
        verdict: z.enum(VERDICTS),
        reason: requiredText({ max: 1000 }).describe('What shows it.'),
      }),
    )
    .max(AGENT_REVIEW_LIMITS.verdicts)
    .optional()
    .describe('On findings that you received.'),
});

export const FindingsToVerify = z
  .object({
    recorded: z.int(),
    findings: z.array(AgentFinding.omit({ scenario: true, proof: true })),
    leaseUntil: timestamp(),
  })
  .meta({ id: 'FindingsToVerify' });

export const FinishReviewInput = z.object({
  runId: RunId,
  lookedAt: z.array(Path).max(AGENT_REVIEW_LIMITS.lookedAt).describe('Changed files that you read.'),
});

export const FinishedReview = z
  .object({
    prNumber: z.int().nullable(),
    findings: z
      .array(AgentFinding.extend({ discussionId: uuid().nullable() }))
      .describe('Raised as discussions; for a review without a pull request, all that hold.'),
    heldBack: z.array(
      z.object({
        title: z.string(),
        file: z.string(),
        line: z.int(),
        reason: z.string(),
        discussionStatus: z
          .enum(['open', 'addressed', 'resolved'])
          .nullable()
          .describe('Of what is already a discussion of the pull request.'),
        overLimit: z.boolean().describe('It holds, but too many were raised.'),
      }),
    ),
    notLookedAt: z.array(z.string()).describe('Changed files that nobody looked at in this review.'),
  })
  .meta({ id: 'FinishedReview' });
