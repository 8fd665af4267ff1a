/** PATCH /api/v2/profile: your own name and email address, in every organization that you belong to. */
import { defineOperation } from '../../../context.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf, recordAuditInEach } from '../../audit/index.ts';
import { ChangeProfileInput, SessionView } from '../contract.ts';
import { attemptInSession } from '../sessions/known-device.ts';
import { checkPassword } from '../sessions/passwords.ts';
import { countAttempt, forgetAccountAttempts, forgiveAttempt } from '../sessions/sign-in-attempt-store.ts';
import { presentSession, sessionGone } from '../sessions/start-session.ts';
import { selectMembershipsOf, selectUser, updateProfile } from '../store/account-store.ts';

export const changeProfile = defineOperation({
  name: 'change-profile',
  group: 'Accounts',
  summary: 'Change your name or email address',
  description:
    'Changing the email address requires the current password. You sign in with the new address from then on. Sessions and API keys keep working.',
  http: { method: 'PATCH', path: '/api/v2/profile', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ChangeProfileInput,
  output: SessionView,
  problems: ['conflict'],
  async run(context, input) {
    const { actor, clock, db } = context;
    const user = await selectUser(db, actor.userId);
    const { email = user.email, name = user.name } = input;
    if (email === user.email && name === user.name) return presentSession(db, actor);
    if (email !== user.email) {
      const { currentPassword } = input;
      if (!currentPassword) {
        throw invalidRequest([
          { path: 'currentPassword', message: 'is required to change the email address' },
        ]);
      }
      const attempt = attemptInSession(context, user);
      await countAttempt(db, attempt, clock.now());
      if (!(await checkPassword(user.password_hash, currentPassword))) {
        throw invalidRequest([{ path: 'currentPassword', message: 'is not the current password' }]);
      }
      await forgiveAttempt(db, attempt);
    }
    const change = { ...from('name', user.name, name), ...from('email', user.email, email) };
    return inTransaction(db, async (transaction) => {
      const outcome = await updateProfile(transaction, user, { email, name });
      if (outcome === 'taken') {
        throw new Problem('conflict', 'Another account uses this email address.');
      }
      if (outcome === 'gone') throw sessionGone();
      if (email !== user.email) await forgetAccountAttempts(transaction, user.email);
      const memberships = await selectMembershipsOf(transaction, user.id);
      await recordAuditInEach(
        transaction,
        memberships.map(({ id }) => ({ ...callerOf(context), organizationId: id })),
        { action: 'profile.changed', subjectId: user.id, subjectName: name, detail: change },
      );
      return presentSession(transaction, actor);
    });
  },
});

function from(field: string, before: string, after: string): Record<string, { from: string; to: string }> {
  return before === after ? {} : { [field]: { from: before, to: after } };
}
