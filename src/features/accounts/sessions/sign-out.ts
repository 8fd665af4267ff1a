/** DELETE /api/v2/session: ends the session of this request. */
import { z } from 'zod';
import { defineOperation } from '../../../context.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { deleteSession } from '../store/session-store.ts';

export const signOut = defineOperation({
  name: 'sign-out',
  group: 'Accounts',
  summary: 'Sign out',
  http: { method: 'DELETE', path: '/api/v2/session', status: 204 },
  accepts: ['session'],
  role: 'viewer',
  input: z.object({}),
  output: null,
  problems: [],
  async run(context) {
    const { actor, db, session } = context;
    await inTransaction(db, async (transaction) => {
      if (!(await deleteSession(transaction, actor.userId, actor.credentialId))) return;
      await recordAudit(transaction, callerOf(context), {
        action: 'session.ended',
        subjectId: actor.userId,
        subjectName: actor.userName,
      });
    });
    session.end();
  },
});
