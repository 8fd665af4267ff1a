/** The shapes of resolving conflicts of pull requests of plain git. */
import { z } from 'zod';
import { text } from '../../../platform/core/operations/shapes.ts';
import { CONFLICT_KINDS } from '../../../platform/core/ports/code-differences.ts';
import { RESOLVE_PROBLEMS } from '../../../platform/core/ports/code-writer.ts';
import { Commit, FilePath, PullRequestId } from './contract-fields.ts';

const MAX_FILES = 50;
const MAX_HUNKS = 200;
const MAX_TEXT_CHARACTERS = 400_000;

export const ListMergeConflictsInput = z.object({ pullRequestId: PullRequestId });

export const ConflictsToResolve = z
  .object({
    head: z.string().describe('The head that the base is merged into.'),
    base: z.string().describe('The commit of the base branch.'),
    total: z.int().describe('How many files conflict.'),
    files: z
      .array(
        z.object({
          path: z.string(),
          kind: z.enum(CONFLICT_KINDS).describe('More kinds may be added.'),
          problem: z
            .enum(RESOLVE_PROBLEMS)
            .nullable()
            .describe(
              'Why it can’t be resolved here: `kind`: git doesn’t merge such files line by line. `not_text`: it isn’t UTF-8 text. `too_large`: it is larger than 1 MiB, or there are too many or too long conflicts or files.',
            ),
          hunks: z
            .array(
              z.object({
                before: z.array(z.string()).describe('The lines before the conflict.'),
                head: z.string().describe('As in the head branch, with plain line breaks.'),
                base: z.string(),
                after: z.array(z.string()),
              }),
            )
            .nullable(),
        }),
      )
      .describe('The first 50. The conflicts can be resolved here if none has a problem.'),
    blocked: z.string().nullable().describe('Why nothing can be pushed to the head branch; null if it can.'),
  })
  .meta({ id: 'ConflictsToResolve' });

export const ResolveMergeConflictsInput = z.object({
  pullRequestId: PullRequestId,
  head: Commit.describe('The head that you saw.'),
  base: Commit.describe('The commit of the base branch that you saw.'),
  files: z
    .array(
      z.object({
        path: FilePath,
        hunks: z
          .array(
            z.object({
              take: z
                .enum(['head', 'base', 'both', 'text'])
                .describe('`both`: the lines of the head, then those of the base.'),
              text: text({ max: MAX_TEXT_CHARACTERS })
                .optional()
                .describe('For `text`: what is there instead of the conflict.'),
            }),
          )
          .min(1)
          .max(MAX_HUNKS)
          .describe('For each conflict of the file, in order.'),
      }),
    )
    .min(1)
    .max(MAX_FILES)
    .describe('All files that conflict.'),
});
