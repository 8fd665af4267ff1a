/** Turns the rows of watches into their API shapes. */
import type { z } from 'zod';
import type { Db } from '../../platform/db/index.ts';
import type { Reader } from '../repositories/index.ts';
import type { RepositoryWatch } from './contract.ts';
import { selectWatchesOf } from './watch-store.ts';

export async function readWatch(
  db: Db,
  reader: Reader,
  repositoryId: string,
): Promise<z.input<typeof RepositoryWatch>> {
  const rows = await selectWatchesOf(db, reader, repositoryId);
  const own = rows.find(({ team_id }) => team_id === null);
  return {
    watching: own !== undefined,
    paths: own?.paths ?? [],
    since: own?.since.toISOString() ?? null,
    teams: rows.flatMap(({ is_member, name, paths, team_id }) =>
      team_id === null ? [] : [{ id: team_id, name: name!, isMember: is_member, paths }],
    ),
  };
}
