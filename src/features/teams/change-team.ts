/** PATCH /api/v2/teams/:teamId: renames a team, or changes where its members come from. */
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { holdActivations } from '../memberships/index.ts';
import { ChangeTeamInput, TeamDetail } from './contract.ts';
import { readTeam } from './present-team.ts';
import { fillProviderTeam } from './provider-team-store.ts';
import { nameTaken, refuseHandle, requireProvider } from './team-rules.ts';
import { lockTeam, updateTeam } from './team-store.ts';

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
  async run(context, { teamId, ...input }) {
    const { actor, clock, db } = context;
    const { organizationId } = actor;
    await inTransaction(db, async (transaction) => {
      await holdActivations(transaction, organizationId);
      const before = await lockTeam(transaction, organizationId, teamId);
      if (!before) throw notFound('The team');
      const name = input.name ?? before.name;
      const group = input.group === undefined ? before.provider_group : input.group || null;
      const isRenamed = name !== before.name;
      const isMoved = group !== before.provider_group;
      if (!isRenamed && !isMoved) return;
      if (name.toLowerCase() !== before.name.toLowerCase())
        await refuseHandle(transaction, organizationId, name);
      if (isMoved && group !== null) await requireProvider(transaction, organizationId);
      if (!(await updateTeam(transaction, teamId, { name, provider_group: group }))) throw nameTaken(name);
      if (isMoved && group !== null)
        await fillProviderTeam(transaction, { id: teamId, organizationId, group }, clock.now());
      await recordAudit(transaction, callerOf(context), {
        action: 'team.changed',
        subjectId: teamId,
        subjectName: name,
        detail: {
          ...(isRenamed && { name: { from: before.name, to: name } }),
          ...(isMoved && { group: { from: before.provider_group, to: group } }),
        },
      });
    });
    return readTeam(db, actor, teamId);
  },
});
