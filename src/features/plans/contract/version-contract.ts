/** The shapes of a plan's versions and of the difference between two of them. */
import { z } from 'zod';
import { streamedArray, timestamp, uuid } from '../../../platform/core/operations/shapes.ts';
import { Person, SeriesId, TokensUsed, VersionNumber } from './contract-fields.ts';

export const PlanRepository = z
  .object({ repoId: uuid().nullable(), repoName: z.string() })
  .meta({ id: 'PlanRepository' });

export const PlanVersionSummary = z
  .object({
    versionId: uuid(),
    version: z.int(),
    title: z.string(),
    unchanged: z.boolean().describe('Whether the content is the same as in the previous version.'),
    author: Person,
    authorKind: z.enum(['key', 'session', 'oauth']),
    agentVendor: z.string(),
    modelId: z.string().nullable(),
    tokensUsed: TokensUsed.nullable(),
    createdAt: timestamp(),
  })
  .meta({ id: 'PlanVersionSummary' });

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
            'The change it belongs to, from 1 to `stats.changes`. Omitted for blocks that are the same.',
          ),
        words: z
          .array(z.object({ change: z.enum(['same', 'added', 'removed']), text: z.string() }))
          .optional(),
      }),
      'In the order of the newer version, with removed blocks at their old positions.',
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
    truncated: z.boolean().describe('Whether word differences were omitted because they are too large.'),
  })
  .meta({ id: 'PlanDifference' });
