/** POST /api/v2/discussions/:discussionId/dismissal: a person dismisses a finding of a reviewer, so that it stays silent. */
import { defineOperation } from '../../context.ts';
import { Problem } from '../../platform/core/errors.ts';
import { Discussion, pullRequestOf, readDiscussions } from '../discussions/index.ts';
import { changePullRequest } from '../pull-requests/index.ts';
import { DismissFindingInput } from './contract.ts';
import { decideFinding } from './decide-finding.ts';

export const dismissFinding = defineOperation({
  name: 'dismiss-finding',
  group: 'Reviews',
  summary: 'Dismiss a finding',
  description:
    'Resolves the discussion, and the finding is not raised again in the pull request, the repository or the organization. People only. Authors can’t dismiss a secret that they leaked.',
  http: { method: 'POST', path: '/api/v2/discussions/:discussionId/dismissal', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: DismissFindingInput,
  output: Discussion,
  problems: ['not_found', 'forbidden', 'conflict'],
  async run(context, { discussionId, note, reason, scope }) {
    const { actor } = context;
    return changePullRequest(context, await pullRequestOf(context, discussionId), async (change) => {
      const outcome = await decideFinding(change, {
        ...{ discussionId, reason, scope, note: note?.trim() || null },
        by: { userId: actor.userId, name: actor.userName },
      });
      if (outcome === 'no_finding')
        throw new Problem('conflict', 'Only findings of reviewers can be dismissed. Resolve it instead.');
      if (outcome === 'own_secret') {
        throw new Problem(
          'forbidden',
          'You cannot dismiss a secret in your own pull request. Ask someone else to look at it.',
        );
      }
      const [read] = await readDiscussions({ actor, db: change.db }, change.pullRequest, { discussionId });
      return read!;
    });
  },
});
