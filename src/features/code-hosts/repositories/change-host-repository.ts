/** PATCH /api/v2/code-hosts/:codeHostId/repositories/:repositoryId: shows a repository to everyone, or follows the host again. */

import { defineOperation } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { applyReaders, setVisibility } from '../../repositories/index.ts';
import { askForHostCheck } from '../connections/host-check-store.ts';
import { ChangeHostRepositoryInput } from '../contract.ts';
import { followHost, selectConnectedOne } from './host-repository-store.ts';

export const changeHostRepository = defineOperation({
  name: 'change-host-repository',
  group: 'Code hosts',
  summary: 'Change who sees a repository of a code host',
  http: { method: 'PATCH', path: '/api/v2/code-hosts/:codeHostId/repositories/:repositoryId', status: 204 },
  accepts: ['session'],
  role: 'admin',
  input: ChangeHostRepositoryInput,
  output: null,
  problems: ['not_found'],
  async run(context, { codeHostId, repositoryId, visibility }) {
    const { actor, db, feed } = context;
    const { organizationId } = actor;
    await inTransaction(db, async (transaction) => {
      const known = await selectConnectedOne(transaction, organizationId, codeHostId, repositoryId);
      const followed = known && (await followHost(transaction, organizationId, repositoryId));
      if (!followed) throw notFound('The repository');
      if (visibility === 'organization')
        await setVisibility(transaction, { id: repositoryId, organizationId }, { from: 'admin', visibility });
      else await applyReaders(transaction, [repositoryId]);
      await recordAudit(transaction, callerOf(context), {
        action: 'code_host.repository_changed',
        subjectId: repositoryId,
        subjectName: followed.name,
        detail: { visibility, private: followed.isPrivate },
      });
    });
    await askForHostCheck(db, codeHostId);
    context.afterCommit(() => feed.announce(repositoryId));
  },
});
