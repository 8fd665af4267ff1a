/** POST /api/v2/teams/:teamId/members: adds and removes members; two admins at once keep both their changes. */
import { defineOperation } from '../../context.ts';
import { callerOf } from '../audit/index.ts';
import { alterTeamMembers } from './alter-team.ts';
import { ChangeTeamMembersInput, TeamDetail } from './contract.ts';
import { readTeam } from './present-team.ts';

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
  async run(context, input) {
    await alterTeamMembers(context.db, callerOf(context), input);
    return readTeam(context.db, context.actor, input.teamId);
  },
});
