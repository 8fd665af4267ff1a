/** DELETE /api/v2/teams/:teamId: deletes a team with the review requests that it has. */
import { defineOperation } from '../../context.ts';
import { callerOf } from '../audit/index.ts';
import { removeTeam } from './alter-team.ts';
import { DeleteTeamInput } from './contract.ts';

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
    await removeTeam(context.db, callerOf(context), teamId);
  },
});
