/** DELETE /api/v2/sessions/:sessionId: signs out one of the caller's devices immediately. */

import { defineOperation } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { RevokeSessionInput } from '../contract.ts';
import { deleteSession } from '../store/session-store.ts';

export const revokeSession = defineOperation({
  name: 'revoke-session',
  group: 'Accounts',
  summary: 'Sign out a device',
  http: { method: 'DELETE', path: '/api/v2/sessions/:sessionId', status: 204 },
  accepts: ['session'],
  role: 'viewer',
  input: RevokeSessionInput,
  output: null,
  problems: ['not_found'],
  async run(context, input) {
    const { actor, db, session } = context;
    await inTransaction(db, async (transaction) => {
      if (!(await deleteSession(transaction, actor.userId, input.sessionId))) throw notFound('The session');
      await recordAudit(transaction, callerOf(context), {
        action: 'session.revoked',
        subjectId: input.sessionId,
      });
    });
    if (input.sessionId === actor.credentialId) session.end();
  },
});
