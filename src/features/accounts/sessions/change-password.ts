/** POST /api/v2/password: a new password ends all other sessions of the user; API keys keep working. */

import { defineOperation } from '../../../context.ts';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { type AuditSource, callerOf, recordAudit, recordAuditInEach } from '../../audit/index.ts';
import { holdMembership } from '../../memberships/index.ts';
import { ChangePasswordInput, SessionView } from '../contract.ts';
import { isSingleSignOnOnly, selectUser, updatePassword } from '../store/account-store.ts';
import { deleteSession, deleteSessionsOf } from '../store/session-store.ts';
import { attemptInSession } from './known-device.ts';
import { checkPassword, hashPassword } from './passwords.ts';
import { countAttempt, forgetAccountAttempts, forgiveAttempt } from './sign-in-attempt-store.ts';
import { presentSession, sessionGone, singleSignOnRequired, startSession } from './start-session.ts';

export const changePassword = defineOperation({
  name: 'change-password',
  group: 'Accounts',
  summary: 'Change your password',
  description: 'Signs out all other devices; this one gets a new session. API keys keep working.',
  http: { method: 'POST', path: '/api/v2/password', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ChangePasswordInput,
  output: SessionView,
  problems: ['single_sign_on_required'],
  async run(context, input) {
    const { actor, clock, db } = context;
    if (await isSingleSignOnOnly(db, actor.organizationId)) throw singleSignOnRequired('This organization');
    const user = await selectUser(db, actor.userId);
    const attempt = attemptInSession(context, user);
    await countAttempt(db, attempt, clock.now());
    if (!(await checkPassword(user.password_hash, input.currentPassword))) {
      throw invalidRequest([{ path: 'currentPassword', message: 'is not the current password' }]);
    }
    const passwordHash = await hashPassword(input.newPassword);
    return inTransaction(db, async (transaction) => {
      await forgiveAttempt(transaction, attempt);
      await updatePassword(transaction, user.id, passwordHash, clock.now());
      if (!(await holdMembership(transaction, actor))) throw sessionGone();
      if (!(await deleteSession(transaction, actor.userId, actor.credentialId))) throw sessionGone();
      await deleteSessionsOf(transaction, user.id);
      await startSession(context, transaction, actor);
      await recordAudit(transaction, callerOf(context), {
        action: 'password.changed',
        subjectId: user.id,
        subjectName: user.name,
      });
      return presentSession(transaction, actor);
    });
  },
});

/** Resets a lost password for the operator's command: all sessions end, and sign-in limits of the account are lifted. */
export async function resetPassword(
  db: Db,
  user: { id: string; name: string; email: string },
  password: string,
  sources: AuditSource[],
  at: Date,
): Promise<void> {
  const passwordHash = await hashPassword(password);
  await inTransaction(db, async (transaction) => {
    await forgetAccountAttempts(transaction, user.email);
    await updatePassword(transaction, user.id, passwordHash, at);
    await deleteSessionsOf(transaction, user.id);
    await recordAuditInEach(transaction, sources, {
      action: 'password.reset',
      subjectId: user.id,
      subjectName: user.name,
    });
  });
}
