/** PUT /api/v2/teams/:teamId/code-host: keeps a team in step with a team or group of a code host. */
import { defineOperation } from '../../../context.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf } from '../../audit/index.ts';
import { FollowHostTeamInput, followHostTeam, readTeam, TeamDetail } from '../../teams/index.ts';
import { findCodeHost } from '../connections/find-code-host.ts';
import { askForHostCheck } from '../connections/host-check-store.ts';

export const followTeamOfHost = defineOperation({
  name: 'follow-team-of-host',
  group: 'Teams',
  summary: 'Keep a team in step with a team or group of a code host',
  description:
    'Its members are those whose linked accounts are in the team there, read within a minute, then every hour and after webhooks. Again: its members are read now.',
  http: { method: 'PUT', path: '/api/v2/teams/:teamId/code-host', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: FollowHostTeamInput,
  output: TeamDetail,
  problems: ['not_found'],
  async run(context, input) {
    const { actor, db, feed } = context;
    await findCodeHost(context, input.codeHostId);
    await inTransaction(db, async (transaction) => {
      await followHostTeam(transaction, callerOf(context), input);
      await askForHostCheck(transaction, input.codeHostId);
    });
    context.afterCommit(() => feed.announce(input.codeHostId));
    return readTeam(db, actor, input.teamId);
  },
});
