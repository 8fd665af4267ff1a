/** Changes and deletes teams, for the operations and the command line; each change is in the audit log. */
import type { z } from 'zod';
import { notFound, Problem } from '../../platform/core/errors/errors.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { type AuditSource, recordAudit } from '../audit/index.ts';
import { holdActivations } from '../memberships/index.ts';
import type { ChangeTeamInput, ChangeTeamMembersInput } from './contract.ts';
import { startFollowing } from './host-team-store.ts';
import { fillProviderTeam } from './provider-team-store.ts';
import {
  nameTaken,
  refuseHandle,
  refuseTooMany,
  requireActiveMembers,
  requireProvider,
} from './team-rules.ts';
import {
  countReviewRequestsOf,
  deleteTeamMembers,
  deleteTeamRow,
  insertTeamMembers,
  lockTeam,
  updateTeam,
} from './team-store.ts';

/** Renames it, or changes where its members come from. */
export function alterTeam(
  db: Db,
  source: AuditSource,
  { teamId, ...input }: z.output<typeof ChangeTeamInput>,
): Promise<void> {
  const { at, organizationId } = source;
  return inTransaction(db, async (transaction) => {
    await holdActivations(transaction, organizationId);
    const before = await lockTeam(transaction, organizationId, teamId);
    if (!before) throw notFound('The team');
    const name = input.name ?? before.name;
    const group = input.group === undefined ? before.provider_group : input.group || null;
    const isRenamed = name !== before.name;
    // An empty group also frees a team that follows a code host.
    const isFreed = before.code_host_id !== null && input.group !== undefined;
    const isMoved = group !== before.provider_group || isFreed;
    if (!isRenamed && !isMoved) return;
    if (name.toLowerCase() !== before.name.toLowerCase())
      await refuseHandle(transaction, organizationId, name);
    if (isMoved && group !== null) await requireProvider(transaction, organizationId);
    if (
      !(await updateTeam(transaction, teamId, {
        name,
        provider_group: group,
        ...(isFreed && { code_host_id: null }),
      }))
    )
      throw nameTaken(name);
    if (isMoved && group !== null)
      await fillProviderTeam(transaction, { id: teamId, organizationId, group }, at);
    await recordAudit(transaction, source, {
      action: 'team.changed',
      subjectId: teamId,
      subjectName: name,
      detail: {
        ...(isRenamed && { name: { from: before.name, to: name } }),
        ...(group !== before.provider_group && { group: { from: before.provider_group, to: group } }),
        ...(isFreed && { hostTeam: { from: before.host_team, to: null } }),
      },
    });
  });
}

/** From now on its members are those of a team or group of a code host of the organization, as soon as they were read. */
export function followHostTeam(
  db: Db,
  source: AuditSource,
  { codeHostId, team: path, teamId }: { teamId: string; codeHostId: string; team: string },
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    const before = await lockTeam(transaction, source.organizationId, teamId);
    if (!before) throw notFound('The team');
    const from = before.code_host_id === null ? null : before.host_team;
    await startFollowing(transaction, teamId, { codeHostId, path });
    if (before.code_host_id === codeHostId && from === path) return;
    await recordAudit(transaction, source, {
      action: 'team.changed',
      subjectId: teamId,
      subjectName: before.name,
      detail: {
        hostTeam: { from, to: path },
        ...(before.provider_group !== null && { group: { from: before.provider_group, to: null } }),
      },
    });
  });
}

/** Two at once keep both their changes. Returns who was added and removed. */
export function alterTeamMembers(
  db: Db,
  source: AuditSource,
  { add = [], remove = [], teamId }: z.output<typeof ChangeTeamMembersInput>,
): Promise<{ added: string[]; removed: string[] }> {
  const { at, organizationId } = source;
  return inTransaction(db, async (transaction) => {
    await holdActivations(transaction, organizationId);
    const team = await lockTeam(transaction, organizationId, teamId);
    if (!team) throw notFound('The team');
    if (team.code_host_id !== null)
      throw new Problem(
        'conflict',
        `The members of ${team.name} come from ${team.host_team} on the code host.`,
      );
    if (team.provider_group !== null) {
      throw new Problem(
        'conflict',
        `The members of ${team.name} come from the group ${team.provider_group} of single sign-on.`,
      );
    }
    await requireActiveMembers(transaction, organizationId, 'add', add);
    const removed = await deleteTeamMembers(transaction, teamId, remove);
    const added = await insertTeamMembers(transaction, { id: teamId, organizationId }, add, at);
    await refuseTooMany(transaction, teamId);
    if (added.length + removed.length > 0)
      await recordAudit(transaction, source, {
        action: 'team.members_changed',
        subjectId: teamId,
        subjectName: team.name,
        detail: { ...(added.length > 0 && { added }), ...(removed.length > 0 && { removed }) },
      });
    return { added, removed };
  });
}

/** With the review requests that it has; returns how many of them were open. */
export function removeTeam(db: Db, source: AuditSource, teamId: string): Promise<number> {
  return inTransaction(db, async (transaction) => {
    const team = await lockTeam(transaction, source.organizationId, teamId);
    if (!team) throw notFound('The team');
    const reviewRequests = await countReviewRequestsOf(transaction, teamId);
    await deleteTeamRow(transaction, teamId);
    await recordAudit(transaction, source, {
      action: 'team.deleted',
      subjectId: teamId,
      subjectName: team.name,
      detail: { reviewRequests },
    });
    return reviewRequests;
  });
}
