/** set_status: says what CI or another tool found about a commit. */
import { z } from 'zod';
import { ours } from '../text/marking.ts';
import { ADDS, defineTool } from '../tool.ts';

const OPERATION = 'set-commit-status';

export const setStatus = defineTool({
  name: 'set_status',
  title: 'Set a status of a commit',
  description: {
    does: 'Set a named status of a pushed commit, in a repository that is not connected to a code host.',
    use: 'in CI, to report what a check found. The last one of a `name` counts; the same again changes nothing. With an agent’s sign-in it is shown, but satisfies no merge rule and replaces none that a key set.',
    returns: 'the `state` that holds now, and how many open pull requests show it.',
    next: 'go on.',
  },
  operations: [OPERATION],
  // The same status again changes nothing.
  hints: { ...ADDS, idempotentHint: true },
  input(fieldsOf) {
    const { commit, description, name, repository, state, url } = fieldsOf(OPERATION);
    return z.object({ repository, commit, name, state, description, url });
  },
  output: z.object({
    commit: ours('id'),
    state: ours('word'),
    pullRequestCount: z.int().describe('Open pull requests whose newest commit it is.'),
    next: ours('sentence'),
  }),
  async run(given, context) {
    const { commit, pullRequests, status } = await context.run(OPERATION, given);
    return {
      commit,
      state: status.state,
      pullRequestCount: pullRequests,
      next:
        pullRequests > 0
          ? 'Nothing is left to do for this status.'
          : 'No open pull request has this commit as its newest yet: one that gets it will show the status.',
    };
  },
});
