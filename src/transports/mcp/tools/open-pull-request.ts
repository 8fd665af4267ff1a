/** open_pull_request: asks for a review of a branch, in repositories without a code host. */
import { z } from 'zod';
import { pullRequestUrl } from '../discussions/branch-review.ts';
import { ours } from '../text/marking.ts';
import { ADDS, defineTool } from '../tool.ts';

const OPERATION = 'open-pull-request';

export const openPullRequest = defineTool({
  name: 'open_pull_request',
  title: 'Open a pull request',
  description: {
    does: 'Open a pull request between two branches of a repository that is not connected to a code host.',
    use: 'when the branch is pushed and the user wants it reviewed. For a repository on a code host, open it there. Later pushes update it. If one is open for the same branches, that is returned.',
    returns: 'its `number` and `url`, and `alreadyOpen` if it existed.',
    next: 'show the user the `url`, call `link_plan_to_pr` if it implements a plan, then `wait_for_review` with `repository` and `branch`.',
  },
  operations: [OPERATION],
  // If one is open for the same branches, none is added.
  hints: { ...ADDS, idempotentHint: true },
  input(fieldsOf) {
    const { base, description, head, repository, reviewers, title } = fieldsOf(OPERATION);
    return z.object({
      repository,
      head,
      base: base.describe('To merge into. Default: the default branch.'),
      title: title.describe('One line.'),
      description: description.describe('What changes and why, in Markdown.'),
      reviewers: reviewers.describe('People and teams to ask, if the user names them: `ada`, `core`.'),
    });
  },
  output: z.object({
    number: z.int(),
    url: ours('page'),
    state: ours('word').describe('`open` or `draft`.'),
    headCommit: ours('id').optional().describe('The commit under review: the newest that was fetched.'),
    alreadyOpen: z.boolean().optional().describe('True if it existed: its title and description stay.'),
    since: z.int().describe('Send it as `since` to `wait_for_review`.'),
    next: ours('sentence'),
  }),
  async run(given, context) {
    const opened = await context.run(OPERATION, { ...given, skipIfOpen: true });
    const { headCommit, lastEvent, number, state } = opened;
    return {
      number,
      url: pullRequestUrl(context.baseUrl, opened),
      state,
      headCommit: headCommit ?? undefined,
      alreadyOpen: opened.alreadyOpen || undefined,
      since: lastEvent,
      next: 'Show the user the `url`. If it implements a plan, call `link_plan_to_pr`. Then call `wait_for_review` with `repository`, `branch` and `since`.',
    };
  },
});
