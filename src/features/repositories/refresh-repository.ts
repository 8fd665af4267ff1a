/** POST /api/v2/repositories/:repositoryId/refresh: fetches it now instead of at its next scheduled time. */

import { defineOperation } from '../../context.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { RefreshRepositoryInput, Repository } from './contract.ts';
import { findRepository } from './find-repository.ts';
import { presentRepository } from './present-repository.ts';
import { askForRefresh } from './store/repository-store.ts';

export const refreshRepository = defineOperation({
  name: 'refresh-repository',
  group: 'Repositories',
  summary: 'Refresh a repository',
  description:
    'Returns without waiting for the refresh; `activity` shows its progress. A request while a refresh is already queued has no effect.',
  http: { method: 'POST', path: '/api/v2/repositories/:repositoryId/refresh', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: RefreshRepositoryInput,
  output: Repository,
  problems: ['not_found', 'conflict'],
  async run(context, { repositoryId }) {
    const { actor, db, feed } = context;
    const row = await findRepository(context, repositoryId);
    if (row.url === null) {
      throw new Problem('conflict', 'This repository has no URL to fetch from. Set its URL first.');
    }
    await inTransaction(db, async (transaction) => {
      await askForRefresh(transaction, repositoryId);
      await recordAudit(transaction, callerOf(context), {
        action: 'repository.refreshed',
        subjectId: repositoryId,
        subjectName: row.name,
      });
    });
    context.afterCommit(() => feed.announce(repositoryId));
    return presentRepository(db, actor, await findRepository(context, repositoryId));
  },
});
