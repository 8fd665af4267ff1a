/** The rules for names and members of teams, checked while the organization's members can't change. */
import { invalidRequest, Problem } from '../../platform/core/errors/errors.ts';
import type { Db } from '../../platform/db/index.ts';
import { findPeopleByHandle, selectActiveMembers } from '../memberships/index.ts';
import { MAX_TEAM_MEMBERS } from './contract.ts';
import { hasProvider } from './provider-team-store.ts';
import { countTeamMembers } from './team-store.ts';

/** A name that mentions a member would take their mentions from them. */
export async function refuseHandle(db: Db, organizationId: string, name: string): Promise<void> {
  const people = await findPeopleByHandle(db, organizationId, [name]);
  if (people.has(name.toLowerCase())) {
    throw new Problem('conflict', `@${name} mentions a member of your organization. Choose another name.`);
  }
}

export function nameTaken(name: string): Problem {
  return new Problem('conflict', `There is already a team named ${name}.`);
}

export async function requireActiveMembers(
  db: Db,
  organizationId: string,
  field: string,
  userIds: string[],
): Promise<void> {
  const active = await selectActiveMembers(db, organizationId, userIds);
  const errors = userIds.flatMap((userId, index) =>
    active.has(userId) ? [] : [{ path: `${field}[${index}]`, message: 'is not an active member' }],
  );
  if (errors.length > 0) throw invalidRequest(errors);
}

export async function requireProvider(db: Db, organizationId: string): Promise<void> {
  if (!(await hasProvider(db, organizationId)))
    throw new Problem('conflict', 'Set up single sign-on first: the groups come from your provider.');
}

export async function refuseTooMany(db: Db, teamId: string): Promise<void> {
  if ((await countTeamMembers(db, teamId)) > MAX_TEAM_MEMBERS)
    throw new Problem('conflict', `A team can have at most ${MAX_TEAM_MEMBERS} members.`);
}
