/** GET /api/v2/code-hosts/:codeHostId/connected-repositories: the repositories that were added from a code host. */

import type { z } from 'zod';
import { defineOperation } from '../../../context.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../../platform/core/operations/page.ts';
import { findCodeHost } from '../connections/find-code-host.ts';
import {
  type ConnectedRepository,
  ConnectedRepositoryPage,
  ListConnectedRepositoriesInput,
} from '../contract.ts';
import { type ConnectedRow, selectConnected } from './host-repository-store.ts';

export const listConnectedRepositories = defineOperation({
  name: 'list-connected-repositories',
  group: 'Code hosts',
  summary: 'List repositories added from a code host',
  description: 'With how far the import of their pull requests is, and who sees them.',
  http: { method: 'GET', path: '/api/v2/code-hosts/:codeHostId/connected-repositories', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ListConnectedRepositoriesInput,
  output: ConnectedRepositoryPage,
  problems: ['not_found'],
  async run(context, { codeHostId, cursor, limit = DEFAULT_LIMIT, search }) {
    await findCodeHost(context, codeHostId);
    const [afterName] = readCursor(cursor, [() => true]) ?? [];
    const rows = await selectConnected(context.db, context.actor.organizationId, codeHostId, {
      search,
      afterName,
      limit: limit + 1,
    });
    const { nextCursor, page } = cutPage(rows, limit, ({ folded_name }) => [folded_name!]);
    return { repositories: page.map(present), nextCursor };
  },
});

function present(row: ConnectedRow): z.input<typeof ConnectedRepository> {
  const followsHost = row.visibility_from === 'host';
  return {
    repositoryId: row.repository_id,
    name: row.name,
    fullName: row.full_name,
    private: row.is_private,
    visibility: followsHost ? 'host' : row.visibility,
    readerCount: row.is_private ? row.member_count : null,
    accessReadAt: row.access_read_at?.toISOString() ?? null,
    importState: row.import_step,
    importedCount: row.imported_count,
    problem: row.problem ?? row.access_problem ?? row.webhook_problem,
  };
}
