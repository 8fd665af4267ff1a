/** POST /api/v2/teams: makes a team of members, or of a group of single sign-on. */
import { defineOperation } from '../../context.ts';
import { invalidRequest } from '../../platform/core/errors/errors.ts';
import { callerOf } from '../audit/index.ts';
import { CreateTeamInput, TeamDetail } from './contract.ts';
import { makeTeam } from './make-team.ts';
import { readTeam } from './present-team.ts';

export const createTeam = defineOperation({
  name: 'create-team',
  group: 'Teams',
  summary: 'Create a team',
  http: { method: 'POST', path: '/api/v2/teams', status: 201 },
  accepts: ['session'],
  role: 'admin',
  input: CreateTeamInput,
  output: TeamDetail,
  problems: ['conflict'],
  async run(context, { group, name, userIds = [] }) {
    const { actor, db } = context;
    if (group !== undefined && userIds.length > 0)
      throw invalidRequest([{ path: 'userIds', message: 'must be empty: the members come from the group' }]);
    const id = await makeTeam(db, callerOf(context), { name, group: group ?? null, userIds });
    return readTeam(db, actor, id);
  },
});
