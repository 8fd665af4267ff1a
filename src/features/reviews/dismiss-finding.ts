/** POST /api/v2/discussions/:discussionId/dismissal: a person dismisses a finding of a reviewer, so that it stays silent. */
import { defineOperation } from '../../context.ts';
import { Problem } from '../../platform/core/errors.ts';
import { uuidv7 } from '../../platform/core/uuid.ts';
import {
  Discussion,
  findDiscussion,
  pullRequestOf,
  readDiscussions,
  setStatus,
} from '../discussions/index.ts';
import { changePullRequest } from '../pull-requests/index.ts';
import { DismissFindingInput } from './contract.ts';
import { insertDecision, selectFindingOf } from './review-run-store.ts';

const REASONS = {
  wrong: 'Dismissed: the finding is wrong.',
  intended: 'Dismissed: this is intended.',
  not_worth_it: 'Dismissed: not worth fixing.',
  later: 'Dismissed: to be fixed later.',
};

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
      const { at, db, pullRequest } = change;
      const discussion = await findDiscussion(change, discussionId);
      const finding = await selectFindingOf(db, actor.organizationId, discussionId);
      if (!finding)
        throw new Problem('conflict', 'Only findings of reviewers can be dismissed. Resolve it instead.');
      if (finding.claim === 'secret' && pullRequest.author_user_id === actor.userId) {
        throw new Problem(
          'forbidden',
          'You cannot dismiss a secret in your own pull request. Ask someone else to look at it.',
        );
      }
      const written = note?.trim() || null;
      await insertDecision(db, {
        ...{ id: uuidv7(), organizationId: actor.organizationId, userId: actor.userId, at },
        ...{ repositoryId: pullRequest.repository_id, pullRequestId: pullRequest.id, discussionId },
        ...{ findingKey: finding.finding_key, scope, reason, note: written },
      });
      await setStatus(change, discussion, 'dismiss', {
        ...{ userId: actor.userId, accountId: null, name: actor.userName },
        reason: written === null ? REASONS[reason] : `${REASONS[reason]} ${written}`,
      });
      const [read] = await readDiscussions({ actor, db }, change.pullRequest, { discussionId });
      return read!;
    });
  },
});
