/** The shapes of whether a pull request can be merged into its base branch. */
import { z } from 'zod';
import { CONFLICT_KINDS } from '../../../platform/core/ports/code-differences.ts';

export const MERGEABILITY_STATES = ['checking', 'clean', 'conflicts', 'blocked', 'unknown'] as const;
export type MergeabilityState = (typeof MERGEABILITY_STATES)[number];

export const Mergeability = z
  .enum(MERGEABILITY_STATES)
  .nullable()
  .describe(
    'Whether the head merges into the base branch, for the present commits of both. `checking`: not known yet. `blocked`: the code host says it can’t be merged, without the reason. `unknown`: nobody can say. Null once it is merged or closed.',
  );

const Lines = z.array(z.string());
export const ConflictedFile = z
  .object({
    path: z.string(),
    kind: z.enum(CONFLICT_KINDS).describe('More kinds may be added.'),
    hunks: z
      .array(
        z.object({
          context: Lines.describe('The lines before it.'),
          base: Lines.describe('As in the base branch.'),
          head: Lines.describe('As in the head branch.'),
        }),
      )
      .describe('Empty if the conflict can’t be shown line by line.'),
    truncated: z.boolean().describe('Whether lines were left out because there are too many.'),
  })
  .meta({ id: 'ConflictedFile' });

export const MergeConflicts = z
  .object({ total: z.int(), files: z.array(ConflictedFile).describe('At most 50.') })
  .nullable()
  .describe('Present while `mergeability` is `conflicts`; code hosts don’t say which files they are.');
