/** The shapes of reactions to comments. */
import { z } from 'zod';
import { uuid } from '../../../platform/core/operations/shapes.ts';
import { PullRequestId } from './contract-fields.ts';

/** In the order in which they are shown. */
export const REACTIONS = ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'] as const;
export type Reaction = (typeof REACTIONS)[number];

export const MAX_REACTION_NAMES = 20;
export const Reactions = z
  .array(
    z.object({
      reaction: z.enum(REACTIONS),
      count: z.int(),
      people: z.array(z.string()).describe(`Earliest first; at most ${MAX_REACTION_NAMES}.`),
      mine: z.boolean().describe('Whether you reacted with it.'),
    }),
  )
  .nullable()
  .describe('Null: it was written on the code host, and takes reactions there.');

export const ReactToCommentInput = z.object({
  pullRequestId: PullRequestId,
  commentId: uuid(),
  reaction: z.enum(REACTIONS),
  isOn: z.boolean().describe('False removes your reaction.'),
});
export const CommentReactions = z.object({ reactions: Reactions }).meta({ id: 'CommentReactions' });
