/** DELETE /api/v2/teams/:teamId: deletes a team with the review requests that it has. */
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { DeleteTeamInput } from './contract.ts';
import { countReviewRequestsOf, deleteTeamRow, lockTeam } from './team-store.ts';

export const deleteTeam = defineOperation({
  name: 'delete-team',
  group: 'Teams',
  summary: 'Delete a team',
  description: 'Its review requests end. Paths that it owns have no owner from then on.',
  http: { method: 'DELETE', path: '/api/v2/teams/:teamId', status: 204 },
  accepts: ['session'],
  role: 'admin',
  input: DeleteTeamInput,
  output: null,
  problems: ['not_found'],
  async run(context, { teamId }) {
    const { actor, db } = context;
    await inTransaction(db, async (transaction) => {
      const team = await lockTeam(transaction, actor.organizationId, teamId);
      if (!team) throw notFound('The team');
      const reviewRequests = await countReviewRequestsOf(transaction, teamId);
      await deleteTeamRow(transaction, teamId);
      await recordAudit(transaction, callerOf(context), {
        action: 'team.deleted',
        subjectId: teamId,
        subjectName: team.name,
        detail: { reviewRequests },
      });
    });
  },
});
