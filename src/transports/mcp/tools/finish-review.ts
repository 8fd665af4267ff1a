/** finish_review: ends a review; what holds becomes discussions of the pull request. */
import { z } from 'zod';
import { ours } from '../text/marking.ts';
import { ADDS, defineTool } from '../tool.ts';

const OPERATION = 'finish-review';

export const finishReview = defineTool({
  name: 'finish_review',
  title: 'Finish a review',
  description: {
    does: 'Finish a review. Findings that are proven, confirmed, or reported by two people become discussions of the pull request; without one, they are returned.',
    use: 'at the end. `lookedAt` counts only files that you received whole.',
    returns: '`findings`, `heldBack` with reasons, `notLookedAt`.',
    next: 'tell the user all three. Only people can dismiss or approve.',
  },
  operations: [OPERATION],
  hints: ADDS,
  input: (fieldsOf) => z.object(fieldsOf(OPERATION)),
  output: z.object({
    prNumber: z.int().optional(),
    findings: z.array(
      z.object({
        findingId: ours('id'),
        title: z.string(),
        file: z.string(),
        line: z.int(),
        proof: ours('word'),
        discussionId: ours('id').optional(),
      }),
    ),
    heldBack: z.array(
      z.object({
        title: z.string(),
        file: z.string(),
        line: z.int(),
        reason: z.string(),
        discussionStatus: ours('word').optional(),
        overLimit: z.literal(true).optional(),
      }),
    ),
    notLookedAt: z.array(z.string()),
  }),
  async run(given, context) {
    const { findings, heldBack, notLookedAt, prNumber } = await context.run(OPERATION, given);
    return {
      ...(prNumber !== null && { prNumber }),
      findings: findings.map(({ discussionId, file, id, line, proof, title }) => ({
        ...{ findingId: id, title, file, line, proof },
        ...(discussionId !== null && { discussionId }),
      })),
      heldBack: heldBack.map(({ discussionStatus, file, line, overLimit, reason, title }) => ({
        ...{ title, file, line, reason },
        ...(discussionStatus !== null && { discussionStatus }),
        ...(overLimit && { overLimit }),
      })),
      notLookedAt,
    };
  },
});
