/** GET /api/v2/watches: what the caller watches, by themselves and as a member of teams. */
import { defineOperation } from '../../context.ts';
import { ListWatchesInput, WatchList } from './contract.ts';
import { selectOwnWatches } from './watch-store.ts';

export const listWatches = defineOperation({
  name: 'list-watches',
  group: 'Inbox',
  summary: 'List what you watch',
  http: { method: 'GET', path: '/api/v2/watches', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListWatchesInput,
  output: WatchList,
  problems: [],
  async run({ actor, db }) {
    const rows = await selectOwnWatches(db, actor);
    return {
      watches: rows.map((row) => ({
        repository: { id: row.id, name: row.name },
        team: row.team_id === null ? null : { id: row.team_id, name: row.team_name! },
        paths: row.paths,
        since: row.since.toISOString(),
      })),
    };
  },
});
