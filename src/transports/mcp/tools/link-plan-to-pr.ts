/** link_plan_to_pr: links a pull request to the plan that it implements. */
import { z } from 'zod';
import { planReference } from '../plans/plan-reference.ts';
import { nextForPlan, presentReviewState, REVIEW_STATE } from '../plans/plan-status.ts';
import { ours } from '../text/marking.ts';
import { ADDS, defineTool } from '../tool.ts';

const OPERATION = 'link-pull-request';

export const linkPlanToPr = defineTool({
  name: 'link_plan_to_pr',
  title: 'Link a pull request to a plan',
  description: {
    does: 'Link a pull request to the plan that it implements.',
    use: 'as soon as the pull request exists, once for each. A pending plan becomes `implemented`, which does not approve it; an approved one stays approved. Linking again changes nothing.',
    returns:
      "the plan's `url` and `status`, how many pull requests are linked, and `repositoryMissing` if the link has no repository.",
    next: 'tell the user.',
  },
  operations: [OPERATION],
  // Linking the same pull request again adds nothing.
  hints: { ...ADDS, idempotentHint: true },
  input(fieldsOf) {
    const { prNumber, repoName } = fieldsOf(OPERATION);
    return z.object({
      planId: planReference(),
      repository: repoName.describe('Of the pull request. Not needed if the plan names exactly one.'),
      prNumber: prNumber.describe('Its number.'),
    });
  },
  output: z.object({
    planId: ours('id'),
    url: ours('page'),
    status: ours('word').describe('A pending plan becomes `implemented`.'),
    ...REVIEW_STATE,
    pullRequestCount: z.int().describe('How many pull requests are linked to the plan now.'),
    repositoryMissing: ours('sentence')
      .optional()
      .describe('Why the link has no repository, and how to add one; absent when it has one.'),
    next: ours('sentence'),
  }),
  async run({ planId, prNumber, repository }, context) {
    const plan = await context.run(OPERATION, { seriesId: planId, prNumber, repoName: repository });
    return {
      planId,
      url: plan.url,
      status: plan.status,
      ...presentReviewState(plan),
      pullRequestCount: plan.pullRequests.length,
      repositoryMissing:
        repository === undefined && plan.repoNames.length !== 1
          ? `The link has no repository: the plan names ${plan.repoNames.length}, and the call named none. Call again with \`repository\` to link the pull request of that repository.`
          : undefined,
      next: nextForPlan({ ...plan, hasPullRequest: true }),
    };
  },
});
