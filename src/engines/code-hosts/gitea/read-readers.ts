/** Who can read the code of a repository: its owner, its collaborators, and the members of teams with access to code. */
import type { z } from 'zod';
import type { HostClient } from '../host-client.ts';
import { isHostError } from '../host-error.ts';
import { MAX_READERS } from '../limits.ts';
import { listAll } from '../pages.ts';
import type { Account } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { accountOf } from './read.ts';
import { repositoryShape, teamShape, userShape } from './shapes.ts';

type Team = z.output<typeof teamShape>;

export async function readReaders(
  client: HostClient,
  path: string,
): Promise<{ accounts: Account[]; truncated: boolean }> {
  const users = (request: string) =>
    listAll({
      client,
      request: { path: request },
      shape: userShape,
      what: 'the accounts with access',
      sizeParameter: 'limit',
      size: 50,
    });
  const { json } = await client({ path });
  const { owner } = readReply(repositoryShape, json, 'the repository');
  const accounts = new Map<string, Account>();
  const teams = await teamsOf(client, path);
  if (teams === null) accounts.set(String(owner.id), accountOf(owner));
  const lists = [`${path}/collaborators`, ...(teams ?? []).map(({ id }) => `/api/v1/teams/${id}/members`)];
  for (const list of lists)
    for await (const user of users(list)) {
      if (accounts.size >= MAX_READERS) return { accounts: [...accounts.values()], truncated: true };
      accounts.set(String(user.id), accountOf(user));
    }
  return { accounts: [...accounts.values()], truncated: false };
}

/** Null for the repository of a person, where the server answers 405. */
async function teamsOf(client: HostClient, path: string): Promise<Team[] | null> {
  const teams: Team[] = [];
  const request = { path: `${path}/teams` };
  try {
    for await (const team of listAll({
      client,
      request,
      shape: teamShape,
      what: 'the teams',
      sizeParameter: 'limit',
      size: 50,
    }))
      if (canReadCode(team)) teams.push(team);
  } catch (error) {
    if (isHostError(error, 'invalid') && error.status === 405) return null;
    throw error;
  }
  return teams;
}

function canReadCode({ permission, units, units_map }: Team): boolean {
  if (permission === 'owner' || permission === 'admin') return true;
  if (units_map && Object.keys(units_map).length > 0) return (units_map['repo.code'] ?? 'none') !== 'none';
  return units?.includes('repo.code') ?? false;
}
