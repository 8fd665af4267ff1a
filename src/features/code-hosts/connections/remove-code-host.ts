/** Ends a connection, for administrators over HTTP and for the operator on the host. */
import { notFound } from '../../../platform/core/errors/errors.ts';
import { type Db, inTransaction, repeatConflicts } from '../../../platform/db/index.ts';
import { type AuditSource, recordAudit } from '../../audit/index.ts';
import { deleteCodeHost, lockCodeHost } from './connection-store.ts';
import { hostName } from './present-code-host.ts';

export function removeCodeHost(
  db: Db,
  codeHostId: string,
  source: AuditSource,
): Promise<{ name: string; repositoryCount: number }> {
  // Webhooks that arrive meanwhile lock the same rows in another order.
  return repeatConflicts(() => inTransaction(db, (transaction) => remove(transaction, codeHostId, source)));
}

async function remove(transaction: Db, codeHostId: string, source: AuditSource) {
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
}
