/** PATCH /api/v2/teams/:teamId: renames a team, or changes where its members come from. */
import { defineOperation } from '../../context.ts';
import { callerOf } from '../audit/index.ts';
import { alterTeam } from './alter-team.ts';
import { ChangeTeamInput, TeamDetail } from './contract.ts';
import { readTeam } from './present-team.ts';

export const changeTeam = defineOperation({
  name: 'change-team',
  group: 'Teams',
  summary: 'Rename a team, or change where its members come from',
  http: { method: 'PATCH', path: '/api/v2/teams/:teamId', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ChangeTeamInput,
  output: TeamDetail,
  problems: ['not_found', 'conflict'],
  async run(context, input) {
    await alterTeam(context.db, callerOf(context), input);
    return readTeam(context.db, context.actor, input.teamId);
  },
});
