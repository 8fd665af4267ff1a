/** DELETE /api/v2/repositories/:repositoryId: removes everything except its name in plans. */

import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { type AuditSource, callerOf, recordAudit } from '../audit/index.ts';
import { RemoveRepositoryInput } from './contract.ts';
import { keepNameInPlans } from './store/plan-link-store.ts';
import { deleteRepository, lockRepository } from './store/repository-store.ts';

export const removeRepository = defineOperation({
  name: 'remove-repository',
  group: 'Repositories',
  summary: 'Remove a repository',
  description:
    'The repository can no longer be searched, and every node deletes its mirror and index. Plans keep its name; if not everyone could see the repository, only admins read it there.',
  http: { method: 'DELETE', path: '/api/v2/repositories/:repositoryId', status: 204 },
  accepts: ['session'],
  role: 'admin',
  input: RemoveRepositoryInput,
  output: null,
  problems: ['not_found'],
  async run(context, { repositoryId }) {
    await dropRepository(context.db, repositoryId, callerOf(context));
    context.afterCommit(() => context.feed.announce(repositoryId));
  },
});

/** Removes it from the database; each node deletes its files when it notices. */
export function dropRepository(db: Db, repositoryId: string, source: AuditSource): Promise<void> {
  return inTransaction(db, async (transaction) => {
    const repository = await lockRepository(transaction, source.organizationId, repositoryId);
    if (!repository) throw notFound('The repository');
    await keepNameInPlans(transaction, repositoryId);
    await deleteRepository(transaction, source.organizationId, repositoryId);
    await recordAudit(transaction, source, {
      action: 'repository.removed',
      subjectId: repositoryId,
      subjectName: repository.name,
    });
  });
}
