/** PATCH /api/v2/pull-requests/:pullRequestId/assignees: assigns people to a pull request of plain git, or unassigns them. */
import { defineOperation } from '../../../context.ts';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { ChangeAssigneesInput, LABEL_LIMITS, PullRequest } from '../contract.ts';
import { deleteAssignees, insertAssignees, selectAssigneeIds } from '../store/label-store.ts';
import { selectPossibleReviewers } from '../store/review-store.ts';
import { refuseHost } from './refuse-host.ts';
import { changeAndReadPullRequest } from './with-pull-request.ts';

export const changeAssignees = defineOperation({
  name: 'change-assignees',
  group: 'Pull requests',
  summary: 'Assign people, or unassign them',
  description:
    'Whoever is assigned by somebody else is notified once. Pull requests of a code host are assigned there.',
  http: { method: 'PATCH', path: '/api/v2/pull-requests/:pullRequestId/assignees', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ChangeAssigneesInput,
  output: PullRequest,
  problems: ['not_found', 'conflict'],
  async run(context, { add = [], pullRequestId, remove = [] }) {
    return changeAndReadPullRequest(context, pullRequestId, async (change) => {
      const { at, db, pullRequest } = change;
      refuseHost(pullRequest, 'assignees');
      const before = await selectAssigneeIds(db, pullRequest.id);
      const removedIds = before.filter((userId) => remove.includes(userId));
      const userIds = [...new Set(add)].filter((userId) => !before.includes(userId));
      const possible = await selectPossibleReviewers(db, pullRequest.repository_id, userIds);
      const wrong = add.flatMap((userId, index) =>
        userIds.includes(userId) && !possible.has(userId)
          ? [{ path: `add[${index}]`, message: 'is not an active member who can see the repository' }]
          : [],
      );
      if (wrong.length > 0) throw invalidRequest(wrong);
      if (userIds.length > 0 && before.length - removedIds.length + userIds.length > LABEL_LIMITS.assignees)
        throw invalidRequest([
          { path: 'add', message: `makes more than ${LABEL_LIMITS.assignees} assignees` },
        ]);
      if (userIds.length + removedIds.length === 0) return;
      await deleteAssignees(db, pullRequest.id, removedIds);
      await insertAssignees(db, pullRequest, userIds, at);
      change.record('pull_request_assignees_changed', { userIds, removedIds });
    });
  },
});
