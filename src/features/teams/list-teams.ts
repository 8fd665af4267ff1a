/** GET /api/v2/teams: the teams of the organization by name. */
import { defineOperation } from '../../context.ts';
import { ListTeamsInput, TeamList } from './contract.ts';
import { presentTeam } from './present-team.ts';
import { selectTeams } from './team-store.ts';

export const listTeams = defineOperation({
  name: 'list-teams',
  group: 'Teams',
  summary: 'List teams',
  http: { method: 'GET', path: '/api/v2/teams', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListTeamsInput,
  output: TeamList,
  problems: [],
  async run({ actor, db }) {
    return { teams: (await selectTeams(db, actor)).map(presentTeam) };
  },
});
