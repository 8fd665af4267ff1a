/** The events of a plan as a reader may see them: a link to a pull request doesn't name a repository that they can't see. */
import { hasRole } from '../../../platform/core/operations/actor.ts';
import type { Db } from '../../../platform/db/index.ts';
import { type EventRow, presentEvent } from '../../events/index.ts';
import { type Reader, selectRepositoriesById, UNSEEN_REPOSITORY } from '../../repositories/index.ts';

export async function presentPlanEvents(
  db: Db,
  reader: Reader,
  rows: EventRow[],
): Promise<ReturnType<typeof presentEvent>[]> {
  const ids = [...new Set(rows.flatMap((row) => repositoryOf(row) ?? []))];
  if (ids.length === 0 || hasRole(reader.role, 'admin')) return rows.map(presentEvent);
  const seen = new Set((await selectRepositoriesById(db, reader, ids)).map(({ id }) => id));
  return rows.map((row) => {
    const event = presentEvent(row);
    const repoId = repositoryOf(row);
    if (repoId === undefined || seen.has(repoId)) return event;
    return { ...event, data: { ...event.data, repoId: null, repoName: UNSEEN_REPOSITORY } };
  });
}

function repositoryOf({ data }: EventRow): string | undefined {
  const { repoId } = data as { repoId?: unknown };
  return typeof repoId === 'string' ? repoId : undefined;
}
