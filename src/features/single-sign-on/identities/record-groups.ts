/** Remembers the groups that the provider names for a person, and keeps their teams in step with them. */
import type { Db } from '../../../platform/db/index.ts';
import type { Owner } from '../../memberships/index.ts';
import { syncProviderTeams } from '../../teams/index.ts';
import type { SettingsRow } from '../settings/settings-store.ts';
import { groupsOf } from './decide-access.ts';
import { updateGroups } from './identity-store.ts';

export async function recordGroups(
  db: Db,
  row: SettingsRow,
  person: { userId: string; claims: Record<string, unknown> },
  at: Date,
): Promise<void> {
  const owner: Owner = { organizationId: row.organization_id, userId: person.userId };
  const groups = groupsOf(person.claims, row.role_claim);
  await updateGroups(db, owner, groups);
  await syncProviderTeams(db, owner, groups, at);
}
