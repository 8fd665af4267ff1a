/** The shapes of code owners, and of whom a repository asks for reviews. */
import { z } from 'zod';
import { uuid } from '../../../platform/core/operations/shapes.ts';
import { Branch, LIMITS, PullRequestId } from './contract-fields.ts';

export const GetPullRequestOwnersInput = z.object({ pullRequestId: PullRequestId });
export const OWNER_KINDS = ['person', 'team', 'unknown'] as const;
const OwnedPathsView = z.object({
  section: z.string().nullable().describe('Only GitLab has sections.'),
  line: z.int().describe('Of the rule in the file.'),
  pattern: z.string(),
  paths: z.array(z.string()).describe('The changed paths that the rule decides about.'),
  owners: z.array(
    z.object({
      kind: z.enum(OWNER_KINDS).describe('`unknown`: nobody here who could review it has this name.'),
      id: uuid().nullable().describe('Of the member or team.'),
      name: z.string(),
      approved: z.boolean(),
    }),
  ),
  required: z.int().describe('How many owners must approve; 0 if their approval is optional.'),
  missing: z.int().describe('How many more must approve.'),
});
export const PullRequestOwnersView = z
  .object({
    known: z
      .boolean()
      .describe('False until they were read for the present head and base: they are read in the background.'),
    file: z.string().nullable().describe('The path of CODEOWNERS at the base commit; null: there is none.'),
    owned: z.array(OwnedPathsView),
    problems: z
      .array(z.object({ line: z.int().nullable(), reason: z.string() }))
      .describe('What can’t be read in the file; a line of null is the whole file.'),
  })
  .meta({ id: 'PullRequestOwners' });

const repositoryId = uuid();
const Reviewer = z.object({ id: uuid(), name: z.string() });
export const GetReviewSettingsInput = z.object({ repositoryId });
export const ReviewSettings = z
  .object({
    askOwners: z
      .boolean()
      .describe(
        'Whether code owners are asked for a review. On by default, but for repositories of a code host, which asks them itself.',
      ),
    reviewers: z
      .array(Reviewer)
      .describe('Members who are asked when a pull request is opened or becomes ready.'),
    teams: z.array(Reviewer).describe('Teams that are asked then.'),
  })
  .meta({ id: 'ReviewSettings' });
export const ChangeReviewSettingsInput = z.object({
  repositoryId,
  askOwners: z.boolean().optional(),
  reviewerIds: z.array(uuid()).max(LIMITS.maxReviewers).optional(),
  teamIds: z.array(uuid()).max(LIMITS.maxReviewers).optional(),
});

export const ListExpectedReviewersInput = z.object({
  repositoryId,
  head: Branch.describe('The branch with the changes.'),
  base: Branch.optional().describe('Default: the default branch.'),
});
export const ExpectedReviewers = z
  .object({
    known: z.boolean().describe('False if the branches are not known here, or can’t be compared.'),
    file: z.string().nullable().describe('The path of CODEOWNERS at the base; null: there is none.'),
    reviewers: z.array(
      z.object({
        kind: z.enum(['person', 'team']),
        id: uuid(),
        name: z.string(),
        always: z.boolean().describe('Whether the repository asks them for every pull request.'),
        owns: z
          .array(z.object({ line: z.int(), pattern: z.string() }))
          .describe('The rules of the file that name them as owners of what is changed.'),
      }),
    ),
    problems: z.array(z.object({ line: z.int().nullable(), reason: z.string() })),
    onlyCommit: z.string().nullable().describe('The first line of the message, if it is a single commit.'),
  })
  .meta({ id: 'ExpectedReviewers' });
