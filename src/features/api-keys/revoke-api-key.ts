/** DELETE /api/v2/api-keys/:keyId: once the reply is sent, no node accepts the key anymore. */

import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { type AuditSource, callerOf, recordAudit } from '../audit/index.ts';
import type { Owner } from '../memberships/index.ts';
import { type ApiKeyRow, markKeyRevoked, selectKey } from './api-key-store.ts';
import { ApiKey, RevokeApiKeyInput } from './contract.ts';
import { presentApiKey } from './present-api-key.ts';

export const revokeApiKey = defineOperation({
  name: 'revoke-api-key',
  group: 'API keys',
  summary: 'Revoke an API key',
  description:
    'Requests with this key fail from now on. This cannot be undone. Other keys and sessions keep working.',
  http: { method: 'DELETE', path: '/api/v2/api-keys/:keyId', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: RevokeApiKeyInput,
  output: ApiKey,
  problems: ['not_found'],
  async run(context, input) {
    return presentApiKey(await endApiKey(context.db, context.actor, input.keyId, callerOf(context)));
  },
});

/** Revokes a user's key; the operator's command uses it too. A key that was already revoked keeps its time. */
export function endApiKey(db: Db, owner: Owner, keyId: string, source: AuditSource): Promise<ApiKeyRow> {
  return inTransaction(db, async (transaction) => {
    const revoked = await markKeyRevoked(transaction, owner, keyId, source.at);
    if (revoked) {
      await recordAudit(transaction, source, {
        action: 'api_key.revoked',
        subjectId: revoked.id,
        subjectName: revoked.name,
      });
      return revoked;
    }
    const row = await selectKey(transaction, owner, keyId);
    if (!row) throw notFound('The API key');
    return row;
  });
}
