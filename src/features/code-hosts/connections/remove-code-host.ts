/** Ends a connection, for administrators over HTTP and for the operator on the host. */
import { notFound } from '../../../platform/core/errors/errors.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { type AuditSource, recordAudit } from '../../audit/index.ts';
import { deleteCodeHost, lockCodeHost } from './connection-store.ts';
import { hostName } from './present-code-host.ts';

export function removeCodeHost(
  db: Db,
  codeHostId: string,
  source: AuditSource,
): Promise<{ name: string; repositoryCount: number }> {
  return inTransaction(db, async (transaction) => {
    const host = await lockCodeHost(transaction, source.organizationId, codeHostId);
    if (!host) throw notFound('The code host');
    const repositoryCount = await deleteCodeHost(transaction, source.organizationId, codeHostId);
    const name = hostName(host);
    await recordAudit(transaction, source, {
      action: 'code_host.disconnected',
      subjectId: codeHostId,
      subjectName: name,
      detail: { repositories: repositoryCount },
    });
    return { name, repositoryCount };
  });
}
