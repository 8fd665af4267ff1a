/** POST /api/v2/teams/:teamId/members: adds and removes members; two admins at once keep both their changes. */
import { defineOperation } from '../../context.ts';
import { notFound, Problem } from '../../platform/core/errors/errors.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { holdActivations } from '../memberships/index.ts';
import { ChangeTeamMembersInput, TeamDetail } from './contract.ts';
import { readTeam } from './present-team.ts';
import { refuseTooMany, requireActiveMembers } from './team-rules.ts';
import { deleteTeamMembers, insertTeamMembers, lockTeam } from './team-store.ts';

export const changeTeamMembers = defineOperation({
  name: 'change-team-members',
  group: 'Teams',
  summary: 'Add and remove members of a team',
  description: 'Whoever is in it already, or is not, is left as they are.',
  http: { method: 'POST', path: '/api/v2/teams/:teamId/members', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ChangeTeamMembersInput,
  output: TeamDetail,
  problems: ['not_found', 'conflict'],
  async run(context, { add = [], remove = [], teamId }) {
    const { actor, clock, db } = context;
    const { organizationId } = actor;
    await inTransaction(db, async (transaction) => {
      await holdActivations(transaction, organizationId);
      const team = await lockTeam(transaction, organizationId, teamId);
      if (!team) throw notFound('The team');
      if (team.provider_group !== null) {
        throw new Problem(
          'conflict',
          `The members of ${team.name} come from the group ${team.provider_group} of single sign-on.`,
        );
      }
      await requireActiveMembers(transaction, organizationId, 'add', add);
      const removed = await deleteTeamMembers(transaction, teamId, remove);
      const place = { id: teamId, organizationId };
      const added = await insertTeamMembers(transaction, place, add, clock.now());
      await refuseTooMany(transaction, teamId);
      if (added.length === 0 && removed.length === 0) return;
      await recordAudit(transaction, callerOf(context), {
        action: 'team.members_changed',
        subjectId: teamId,
        subjectName: team.name,
        detail: { ...(added.length > 0 && { added }), ...(removed.length > 0 && { removed }) },
      });
    });
    return readTeam(db, actor, teamId);
  },
});
