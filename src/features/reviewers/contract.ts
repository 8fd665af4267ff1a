/** The shapes and limits of reviewers. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/operations/page.ts';
import { requiredText, text, timestamp, uuid } from '../../platform/core/operations/shapes.ts';
import { DISCUSSION_STATUSES } from '../discussions/contract.ts';
import { MAX_PATHS, PathGlob } from '../organization-settings/contract.ts';
import { BUILT_IN_KEYS } from './built-in-reviewers.ts';

export const LIMITS = {
  customReviewers: 500,
  versions: 1000,
  scopes: 200,
  titleCharacters: 200,
  descriptionCharacters: 2000,
  bodyCharacters: 30_000,
  /** In a list of reviewers. */
  discussions: 10,
  previewedFiles: 200,
  /** Limits of a preview of rules. */
  scannedFiles: 500,
  previewedMatches: 50,
} as const;

export const REVIEWER_KINDS = ['instructions', 'rules'] as const;
export type ReviewerKind = (typeof REVIEWER_KINDS)[number];

const Person = z.object({ id: uuid(), name: z.string() });

export const ReviewerScope = z
  .object({
    repoId: uuid().nullable().describe('Null: every repository.'),
    repoName: z.string().nullable(),
    paths: z.array(z.string()).describe('Globs; empty: all paths.'),
  })
  .meta({ id: 'ReviewerScope' });

const DISCUSSION = {
  id: uuid(),
  repoName: z.string(),
  prNumber: z.int(),
  file: z.string(),
  startLine: z.int(),
  status: z.enum(DISCUSSION_STATUSES),
  createdAt: timestamp(),
};
const ReviewerDiscussion = z.object(DISCUSSION).meta({ id: 'ReviewerDiscussion' });
const ReviewerFinding = z
  .object({
    ...DISCUSSION,
    pullRequestId: uuid(),
    title: z.string().nullable().describe('Of the finding; null if it is no longer known.'),
    isDismissed: z.boolean().describe('Resolved by dismissing the finding.'),
  })
  .meta({ id: 'ReviewerFinding' });
const NEWEST = 'The newest 10 that it opened in repositories that you can see, newest first.';

const REVIEWER = {
  id: uuid(),
  title: z.string(),
  description: z.string(),
  enabled: z.boolean(),
  needsModel: z
    .boolean()
    .describe('Whether reviews find nothing with it until a model is set up. Agents can use it.'),
  activeVersion: z.int().describe('Counts from 1.'),
  scopes: z.array(ReviewerScope).describe('Where it applies: repositories that you can see.'),
  discussions: z.array(ReviewerDiscussion).describe(NEWEST),
  canEdit: z.boolean().describe('False for built-in reviewers.'),
  createdAt: timestamp(),
  updatedAt: timestamp(),
};
export const Reviewer = z.object(REVIEWER).meta({ id: 'Reviewer' });

/** `true`, `false`, `1` or `0`, ignoring case. */
const YES_OR_NO = /^(true|false|1|0)$/i;
export const ListReviewersInput = z.object({
  enabled: z
    .string()
    .regex(YES_OR_NO, 'must be true, false, 1 or 0')
    .optional()
    .describe('Only enabled (`true`, `1`) or only disabled (`false`, `0`) reviewers.'),
  repoName: requiredText({ max: 300 })
    .optional()
    .describe('Only reviewers that apply to this repository: `owner/name` or just `name`.'),
});
export const ReviewerList = z
  .object({ reviewers: z.array(Reviewer).describe('Built-in reviewers first, then by title.') })
  .meta({ id: 'ReviewerList' });

export const BuiltIn = z
  .object({
    key: z.enum(BUILT_IN_KEYS),
    looksAt: z.string(),
    withoutModel: z.string().nullable().describe('What it finds without a model; null for nothing.'),
    optionalChecks: z
      .array(z.object({ name: z.string(), looksFor: z.string(), isOn: z.boolean() }))
      .describe('Checks that are off unless your organization switches them on.'),
  })
  .meta({ id: 'BuiltIn' });

export const ReviewerDetail = z
  .object({
    ...REVIEWER,
    discussions: z.array(ReviewerFinding).describe(NEWEST),
    builtIn: BuiltIn.nullable().describe('Null for custom reviewers.'),
    kind: z.enum(REVIEWER_KINDS).nullable().describe('Null for built-in reviewers.'),
    body: z.string().nullable().describe('Instructions in Markdown, or rules in YAML.'),
    newestVersion: z.int(),
    canSwitch: z.boolean().describe('Whether you can turn it on and off.'),
    createdBy: Person.nullable().describe('Null for built-in and imported reviewers.'),
  })
  .meta({ id: 'ReviewerDetail' });

export const PathGlobs = z.array(PathGlob).max(MAX_PATHS);
const ScopeInput = z.object({
  repoId: uuid().optional().describe('Default: every repository.'),
  paths: PathGlobs.optional().describe('Globs. Default: all paths.'),
});
const CONTENT_INPUT = {
  title: requiredText({ max: LIMITS.titleCharacters }).describe('Unique in the organization, ignoring case.'),
  description: text({ max: LIMITS.descriptionCharacters }).optional(),
  kind: z.enum(REVIEWER_KINDS),
  body: requiredText({ max: LIMITS.bodyCharacters }).describe(
    'Instructions in Markdown, or rules in the YAML format of ast-grep.',
  ),
  scopes: z
    .array(ScopeInput)
    .max(LIMITS.scopes)
    .optional()
    .describe('Where it applies. Default, and if empty: every repository.'),
};

export const ReviewerId = uuid();
export const GetReviewerInput = z.object({ reviewerId: ReviewerId });
export const CreateReviewerInput = z.object({
  ...CONTENT_INPUT,
  enabled: z.boolean().optional().describe('Default: `true`.'),
});
export const ChangeReviewerInput = z.object({
  reviewerId: ReviewerId,
  enabled: z.boolean().optional(),
  switchedOn: z
    .array(z.string().max(100))
    .max(50)
    .optional()
    .describe('The optional checks of a built-in reviewer that are on; others are off.'),
});
export const AddReviewerVersionInput = z.object({
  reviewerId: ReviewerId,
  ...CONTENT_INPUT,
  activate: z
    .boolean()
    .optional()
    .describe('Default: `true`. `false` keeps the active version, to try this one first.'),
  baseVersion: z
    .int()
    .min(1)
    .optional()
    .describe('The newest version you know. If there is a newer one, nothing is saved.'),
});
export const ActivateReviewerVersionInput = z.object({
  reviewerId: ReviewerId,
  version: z.int().min(1).max(LIMITS.versions),
});

export interface ReviewerContent {
  title: string;
  description: string;
  kind: ReviewerKind;
  body: string;
  /** None at all is nowhere. */
  scopes: { repositoryId: string | null; paths: string[] }[];
}

const VERSION = {
  version: z.int(),
  title: z.string(),
  isActive: z.boolean(),
  createdBy: Person.nullable(),
  createdAt: timestamp(),
};
export const ListReviewerVersionsInput = z.object({ reviewerId: ReviewerId, ...PAGE_INPUT });
export const ReviewerVersionPage = z
  .object({ versions: z.array(z.object(VERSION)).describe('Newest first.'), nextCursor: nextCursorShape() })
  .meta({ id: 'ReviewerVersionPage' });
export const GetReviewerVersionInput = z.object({
  reviewerId: ReviewerId,
  version: z.int().min(1).max(LIMITS.versions),
});
export const ReviewerVersion = z
  .object({
    ...VERSION,
    description: z.string(),
    kind: z.enum(REVIEWER_KINDS),
    body: z.string(),
    scopes: z.array(ReviewerScope),
  })
  .meta({ id: 'ReviewerVersion' });

export const PreviewReviewerFilesInput = z.object({
  repositoryId: uuid(),
  paths: PathGlobs.describe('Globs; empty: all paths.'),
});
export const PreviewedFiles = z
  .object({
    items: z.array(z.string()).describe(`At most ${LIMITS.previewedFiles}, in byte order.`),
    total: z.int(),
    truncated: z.boolean(),
  })
  .meta({ id: 'PreviewedFiles' });

export const PreviewRuleMatchesInput = z.object({
  repositoryId: uuid(),
  rules: requiredText({ max: LIMITS.bodyCharacters }).describe('As they would be saved.'),
  paths: PathGlobs.describe('Empty: all paths.'),
});
export const PreviewedMatches = z
  .object({
    matches: z
      .array(z.object({ path: z.string(), line: z.int(), ruleId: z.string(), quote: z.string() }))
      .describe(`At most ${LIMITS.previewedMatches}.`),
    total: z.int().describe('In the files that were scanned.'),
    scannedFiles: z.int(),
    moreFiles: z.int().describe('In scope, but not scanned: beyond the limit, too large, or not text.'),
  })
  .meta({ id: 'PreviewedMatches' });
