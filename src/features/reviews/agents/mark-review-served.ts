/** POST /api/v2/agent-reviews/:runId/served: which changed files an agent received. */
import { defineOperation } from '../../../context.ts';
import { MarkReviewServedInput } from './agent-review-contract.ts';
import { addServed } from './agent-review-store.ts';
import { openAgentReview } from './open-agent-review.ts';

export const markReviewServed = defineOperation({
  name: 'mark-review-served',
  group: 'Reviews',
  summary: 'Record which changed files an agent received',
  description: 'Only these can count as looked at when the review is finished.',
  http: { method: 'POST', path: '/api/v2/agent-reviews/:runId/served', status: 204 },
  accepts: ['session', 'mcp'],
  role: 'member',
  input: MarkReviewServedInput,
  output: null,
  problems: ['not_found', 'conflict'],
  async run(context, { paths, runId }) {
    const review = await openAgentReview(context, runId);
    await addServed(context.db, review.id, paths);
  },
});
