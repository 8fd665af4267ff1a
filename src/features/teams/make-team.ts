/** Makes a team, for the operation and the command line. */
import { Problem } from '../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { type AuditSource, recordAudit } from '../audit/index.ts';
import { holdActivations } from '../memberships/index.ts';
import { MAX_TEAMS } from './contract.ts';
import { fillProviderTeam } from './provider-team-store.ts';
import { nameTaken, refuseHandle, requireActiveMembers, requireProvider } from './team-rules.ts';
import { countTeams, insertTeam, insertTeamMembers } from './team-store.ts';

/** Returns its ID. */
export function makeTeam(
  db: Db,
  source: AuditSource,
  team: { name: string; group: string | null; userIds: string[] },
): Promise<string> {
  const { at, organizationId } = source;
  const { group, name } = team;
  const userIds = [...new Set(team.userIds)];
  return inTransaction(db, async (transaction) => {
    await holdActivations(transaction, organizationId);
    if ((await countTeams(transaction, organizationId)) >= MAX_TEAMS)
      throw new Problem('conflict', `Your organization already has ${MAX_TEAMS} teams. Delete one first.`);
    await refuseHandle(transaction, organizationId, name);
    await requireActiveMembers(transaction, organizationId, 'userIds', team.userIds);
    if (group !== null) await requireProvider(transaction, organizationId);
    const id = uuidv7();
    if (!(await insertTeam(transaction, { id, organizationId, name, group, at }))) throw nameTaken(name);
    if (group === null) await insertTeamMembers(transaction, { id, organizationId }, userIds, at);
    else await fillProviderTeam(transaction, { id, organizationId, group }, at);
    await recordAudit(transaction, source, {
      action: 'team.created',
      subjectId: id,
      subjectName: name,
      detail: group === null ? { userIds } : { group },
    });
    return id;
  });
}
