/** link_plan_to_pr: says which pull request a plan became. */
import { z } from 'zod';
import { planReference } from '../plan-reference.ts';
import { nextForStatus } from '../plan-status.ts';
import type { Plan } from '../plan-values.ts';
import { ADDS, type ToolDefinition } from '../tool.ts';

const OPERATION = 'link-pull-request';

interface Arguments {
  planId: string;
  prNumber: number;
  repository?: string;
}

export const linkPlanToPr: ToolDefinition<Arguments> = {
  name: 'link_plan_to_pr',
  title: 'Link a pull request to a plan',
  operations: [OPERATION],
  // The same pull request again adds nothing.
  hints: { ...ADDS, idempotentHint: true },
  input(fieldsOf) {
    const { prNumber, repoName } = fieldsOf(OPERATION);
    return z.object({
      planId: planReference(),
      repository: repoName!.describe(
        'The repository of the pull request; not needed when the plan names exactly one.',
      ),
      prNumber: prNumber!.describe('The number of the pull request.'),
    });
  },
  output: z.object({
    planId: z.string(),
    url: z.string(),
    status: z.string().describe('A pending plan becomes `implemented`.'),
    pullRequestCount: z.int().describe('How many pull requests are linked to the plan now.'),
  }),
  async run({ planId, prNumber, repository }, context) {
    const plan = await context.run<Plan>(OPERATION, { seriesId: planId, prNumber, repoName: repository });
    return {
      structured: {
        planId,
        url: plan.url,
        status: plan.status,
        pullRequestCount: plan.pullRequests.length,
      },
      text: [
        `Pull request ${prNumber} is linked to plan ${planId}, which is ${plan.status}. ${plan.url}`,
        `Next: ${nextForStatus(plan.status)}`,
      ].join('\n'),
    };
  },
};
