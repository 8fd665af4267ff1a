/** Reads who is in a team of an organization on Gitea or Forgejo, which has an address only by its number. */
import { ownerAndName } from '../full-name.ts';
import type { HostClient } from '../host-client.ts';
import { HostError } from '../host-error.ts';
import { MAX_TEAM_ACCOUNTS, MAX_TEAMS_SEARCHED } from '../limits.ts';
import { collect, listAll } from '../pages.ts';
import type { CodeHost } from '../port.ts';
import { accountOf } from './read.ts';
import { teamShape, userShape } from './shapes.ts';

/** Servers give out at most 50 by default. */
const PAGES = { sizeParameter: 'limit', size: 50 } as const;

export async function readTeam(client: HostClient, path: string): ReturnType<CodeHost['teamMembers']> {
  const { name, owner } = ownerAndName(path);
  const request = { path: `/api/v1/orgs/${owner}/teams` };
  const teams = listAll({ client, request, shape: teamShape, what: 'the teams', ...PAGES });
  const { items } = await collect(teams, MAX_TEAMS_SEARCHED);
  const team = items.find((one) => one.name?.toLowerCase() === name.toLowerCase());
  if (!team) throw new HostError('not_found', 'The organization has no such team.');
  const members = { path: `/api/v1/teams/${team.id}/members` };
  const listed = listAll({
    client,
    request: members,
    shape: userShape,
    what: 'the members of the team',
    ...PAGES,
  });
  const { items: users, truncated } = await collect(listed, MAX_TEAM_ACCOUNTS);
  return { accounts: users.map(accountOf), truncated };
}
