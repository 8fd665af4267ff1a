/** GET /api/v2/teams/:teamId: a team with its members, and what it is used for. */
import { defineOperation } from '../../context.ts';
import { GetTeamInput, TeamDetail } from './contract.ts';
import { readTeam } from './present-team.ts';

export const getTeam = defineOperation({
  name: 'get-team',
  group: 'Teams',
  summary: 'Get a team with its members',
  http: { method: 'GET', path: '/api/v2/teams/:teamId', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetTeamInput,
  output: TeamDetail,
  problems: ['not_found'],
  run: ({ actor, db }, { teamId }) => readTeam(db, actor, teamId),
});
