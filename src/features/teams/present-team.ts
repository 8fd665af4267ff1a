/** Turns the rows of teams into their API shapes. */
import type { z } from 'zod';
import { notFound } from '../../platform/core/errors/errors.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Owner } from '../memberships/index.ts';
import type { Team, TeamDetail } from './contract.ts';
import { countReviewRequestsOf, selectTeam, selectTeamPeople, type TeamRow } from './team-store.ts';

export function presentTeam(row: TeamRow): z.input<typeof Team> {
  return {
    id: row.id,
    name: row.name,
    group: row.provider_group,
    codeHost:
      row.code_host_id === null
        ? null
        : {
            id: row.code_host_id,
            name: row.host_name!,
            team: row.host_team!,
            syncedAt: row.host_synced_at?.toISOString() ?? null,
            problem: row.host_problem,
            unlinked: row.host_unlinked,
          },
    members: row.count ?? 0,
    isMember: row.is_member ?? false,
    createdAt: row.created_at.toISOString(),
  };
}

/** Not found if it is another organization's. */
export async function readTeam(db: Db, reader: Owner, teamId: string): Promise<z.input<typeof TeamDetail>> {
  const row = await selectTeam(db, reader, teamId);
  if (!row) throw notFound('The team');
  return {
    ...presentTeam(row),
    people: await selectTeamPeople(db, { id: teamId, organizationId: reader.organizationId }),
    reviewRequests: await countReviewRequestsOf(db, teamId),
  };
}
