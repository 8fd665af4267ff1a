/** Shapes of the places that discussions and pending comments are at. */
import { z } from 'zod';

export const POSITION_OUTCOMES = ['exact', 'moved', 'changed', 'gone'] as const;
export const SIDES = ['new', 'old'] as const;

export const DiscussionPosition = z
  .object({
    commit: z.string(),
    outcome: z
      .enum(POSITION_OUTCOMES)
      .describe(
        '`exact`: unchanged. `moved`: the same code elsewhere. `changed`: the code was edited. `gone`: removed.',
      ),
    file: z.string(),
    startLine: z.int(),
    endLine: z.int(),
  })
  .meta({ id: 'DiscussionPosition' });
