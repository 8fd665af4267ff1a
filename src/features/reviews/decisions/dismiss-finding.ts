/** POST /api/v2/discussions/:discussionId/dismissal: a person dismisses a finding of a reviewer, so that it stays silent. */
import { defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { Discussion, findDiscussion, pullRequestOf, readDiscussions } from '../../discussions/index.ts';
import { withPullRequest } from '../../pull-requests/index.ts';
import { DismissFindingInput } from '../contract.ts';
import { decideFinding, resolveDismissed } from './decide-finding.ts';
import { findHidden } from './hidden-findings.ts';

export const dismissFinding = defineOperation({
  name: 'dismiss-finding',
  group: 'Reviews',
  summary: 'Dismiss a finding',
  description:
    'Resolves the discussion, and what the scope covers is not raised again; other open findings that it covers are resolved too (see the preview), except secrets. People only. Authors can’t dismiss a secret that they leaked.',
  http: { method: 'POST', path: '/api/v2/discussions/:discussionId/dismissal', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: DismissFindingInput,
  output: Discussion,
  problems: ['not_found', 'forbidden', 'conflict'],
  async run(context, { discussionId, note, reason, scope }) {
    const { actor, db } = context;
    const decision = {
      scope,
      reason,
      note: (await maskText(note?.trim() ?? '')) || null,
      by: { userId: actor.userId, name: actor.userName },
    };
    const pullRequestId = await pullRequestOf(context, discussionId);
    const dismissed = await withPullRequest(context, pullRequestId, async (change) => {
      const outcome = await decideFinding(change, { ...decision, discussionId });
      if (outcome.kind !== 'decided') throw refusal(outcome.kind);
      const [discussion] = await readDiscussions({ actor, db: change.db }, change.pullRequest, {
        discussionId,
      });
      const { repository_id: repositoryId } = change.pullRequest;
      return { discussion: discussion!, finding: outcome.finding, repositoryId };
    });
    const { finding, repositoryId } = dismissed;
    const hidden = await findHidden(db, actor, { discussionId, repositoryId, finding, scope });
    // One pull request after the other, so that only one lock is held at a time. After a crash, findings left open are not raised again.
    for (const [id, rows] of Map.groupBy(hidden, (row) => row.pull_request_id))
      await withPullRequest(context, id, async (change) => {
        for (const row of rows)
          await resolveDismissed(change, await findDiscussion(change, row.discussion_id), decision);
      });
    return dismissed.discussion;
  },
});

function refusal(kind: 'no_finding' | 'own_secret' | 'too_wide'): Problem {
  switch (kind) {
    case 'no_finding':
      return new Problem('conflict', 'Only findings of reviewers can be dismissed. Resolve it instead.');
    case 'own_secret':
      return new Problem(
        'forbidden',
        'You cannot dismiss a secret in your own pull request. Ask someone else to look at it.',
      );
    case 'too_wide':
      return new Problem(
        'conflict',
        'Security findings are dismissed one by one: in the pull request, the repository or the organization. Secrets can’t be dismissed in the whole organization.',
      );
  }
}
