/** GET /api/v2/repositories/:repositoryId/excluded-paths/changes: who changed the excluded paths, when and how. */
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { cutPage, DEFAULT_LIMIT, readTimeCursor, timeCursorOf } from '../../platform/core/operations/page.ts';
import { selectRepositoriesById } from '../repositories/index.ts';
import { ExcludedPathChangePage, ListExcludedPathChangesInput } from './contract.ts';
import { presentChange } from './present-setting.ts';
import { selectSettingChanges } from './setting-change-store.ts';

export const listExcludedPathChanges = defineOperation({
  name: 'list-excluded-path-changes',
  group: 'Organization',
  summary: "List the changes of a repository's excluded paths",
  http: { method: 'GET', path: '/api/v2/repositories/:repositoryId/excluded-paths/changes', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListExcludedPathChangesInput,
  output: ExcludedPathChangePage,
  problems: ['not_found'],
  async run({ actor, db }, { cursor, limit = DEFAULT_LIMIT, repositoryId }) {
    const before = readTimeCursor(cursor);
    const [repository] = await selectRepositoriesById(db, actor, [repositoryId]);
    if (!repository) throw notFound('The repository');
    const page = { before, limit: limit + 1 };
    const rows = await selectSettingChanges(db, actor.organizationId, repositoryId, page);
    const cut = cutPage(rows, limit, (row) => timeCursorOf(row.created_at, row.id));
    const changes = cut.page.map((row) => presentChange<{ paths: string[] }>(row));
    return { changes, nextCursor: cut.nextCursor };
  },
});
