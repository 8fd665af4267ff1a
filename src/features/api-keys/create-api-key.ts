/** POST /api/v2/api-keys: creates a key; its secret is returned only once. */

import { defineOperation } from '../../context.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import { hashOf } from '../../platform/core/text/secret-token.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { type AuditSource, callerOf, recordAudit } from '../audit/index.ts';
import { holdMembership, type Owner } from '../memberships/index.ts';
import { type ApiKeyRow, countActiveKeys, insertKey } from './api-key-store.ts';
import { CreateApiKeyInput, CreatedApiKey, MAX_ACTIVE_KEYS } from './contract.ts';
import { newKeySecret, visibleParts } from './key-format.ts';
import { presentApiKey } from './present-api-key.ts';

export const createApiKey = defineOperation({
  name: 'create-api-key',
  group: 'API keys',
  summary: 'Create an API key',
  description:
    'The key acts as you, with your current role at each request. Its secret is returned only in this reply.',
  http: { method: 'POST', path: '/api/v2/api-keys', status: 201 },
  accepts: ['session'],
  role: 'viewer',
  input: CreateApiKeyInput,
  output: CreatedApiKey,
  problems: ['conflict'],
  async run(context, input) {
    const { actor, db } = context;
    const { row, secret } = await generateApiKey(db, actor, input.name, callerOf(context));
    return { key: presentApiKey(row), secret };
  },
});

/** Creates a key for a user; the operator's command uses it too. */
export function generateApiKey(
  db: Db,
  owner: Owner,
  name: string,
  source: AuditSource,
): Promise<{ row: ApiKeyRow; secret: string }> {
  return inTransaction(db, async (transaction) => {
    // Locked exclusively, so that keys are counted and created one at a time.
    if (!(await holdMembership(transaction, owner, { alone: true }))) {
      throw new Problem(
        'conflict',
        'This user is deactivated in the organization, so no key can be created.',
      );
    }
    if ((await countActiveKeys(transaction, owner)) >= MAX_ACTIVE_KEYS) {
      throw new Problem(
        'conflict',
        `This user already has ${MAX_ACTIVE_KEYS} active keys, the maximum. Revoke one that is no longer used.`,
      );
    }
    const secret = newKeySecret();
    const row = await insertKey(transaction, {
      id: uuidv7(),
      hash: hashOf(secret),
      organizationId: owner.organizationId,
      userId: owner.userId,
      name,
      ...visibleParts(secret),
      at: source.at,
    });
    await recordAudit(transaction, source, {
      action: 'api_key.created',
      subjectId: row.id,
      subjectName: name,
    });
    return { row, secret };
  });
}
