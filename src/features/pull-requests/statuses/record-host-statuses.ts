/** Replaces the statuses that a code host had for a commit with those that it has now, and shows them on its pull requests. */
import { inTransaction } from '../../../platform/db/index.ts';
import { BY_SERVICE, type ChangeServices } from '../../events/index.ts';
import {
  type CommitOfRepository,
  deleteStatuses,
  lockStatusesOf,
  type NewStatus,
  selectPullRequestsOfHead,
  selectStatuses,
  upsertStatuses,
} from '../../statuses/index.ts';
import { withPullRequestAs } from '../changes/with-pull-request.ts';
import { isSameStatus, recordStatuses } from './record-statuses.ts';

/** Those of one name are replaced, whoever set them before. `isPast`: known before anybody here could be told. */
export async function recordHostStatuses(
  services: ChangeServices,
  place: CommitOfRepository,
  statuses: readonly NewStatus[],
  { at, isPast }: { at: Date; isPast: boolean },
): Promise<void> {
  const topics: string[] = [];
  await inTransaction(services.db, async (db) => {
    await lockStatusesOf(db, place);
    const before = new Map(
      (await selectStatuses(db, place.repositoryId, place.commit)).map((row) => [row.name, row]),
    );
    const names = new Set(statuses.map(({ name }) => name));
    const gone = [...before.values()].filter(({ name, set_with }) => set_with === 'host' && !names.has(name));
    const changed = statuses.filter((status) => {
      const row = before.get(status.name);
      return row === undefined || !isSameStatus(row, status);
    });
    if (changed.length + gone.length === 0) return;
    await deleteStatuses(
      db,
      place,
      gone.map(({ name }) => name),
    );
    await upsertStatuses(db, place, changed);
    const within = { ...services, db, announce: (topic: string) => void topics.push(topic) };
    const source = { ...BY_SERVICE, organizationId: place.organizationId };
    for (const id of await selectPullRequestsOfHead(db, place))
      await withPullRequestAs(within, source, id, at, async (change) => {
        change.silent = isPast;
        recordStatuses(change, place.commit, changed, gone.length);
      });
  });
  for (const topic of topics) services.announce(topic);
}
