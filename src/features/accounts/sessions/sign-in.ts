/** POST /api/v2/session: starts a session with an email address and password; never reveals which of the two was wrong. */

import { definePublicOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { anonymousSource, recordAudit } from '../../audit/index.ts';
import { SessionView, SignInInput } from '../contract.ts';
import { holdPassword, selectMembershipsOf, selectUserByEmail } from '../store/account-store.ts';
import { attemptOf } from './known-device.ts';
import { checkPassword } from './passwords.ts';
import { recordRefusal } from './record-refusal.ts';
import { countAttempt, forgiveAttempt } from './sign-in-attempt-store.ts';
import { presentSession, singleSignOnRequired, startSession } from './start-session.ts';

/** An id that no user has: an unknown email address causes the same queries as a known one. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

export const signIn = definePublicOperation({
  name: 'sign-in',
  group: 'Accounts',
  summary: 'Sign in',
  description:
    'Sets the session cookie. Failed attempts are limited per account and network; devices that have signed in before have a separate limit.',
  http: { method: 'POST', path: '/api/v2/session', status: 200 },
  input: SignInInput,
  output: SessionView,
  problems: ['sign_in_failed', 'single_sign_on_required'],
  async run(context, input) {
    const { clock, db } = context;
    const user = await selectUserByEmail(db, input.email);
    const attempt = attemptOf(context, input.email, user);
    await countAttempt(db, attempt, clock.now());
    const isCorrect = await checkPassword(user?.password_hash, input.password);
    const memberships = await selectMembershipsOf(db, user?.id ?? NOBODY);
    const open = memberships.filter(
      ({ id, suspended_at }) => suspended_at === null && (input.organizationId ?? id) === id,
    );
    const membership = open.find(({ single_sign_on_only }) => !single_sign_on_only) ?? open[0];
    if (!user || !isCorrect || !membership) {
      await recordRefusal(context, attempt, user, memberships);
      throw refused();
    }
    if (membership.single_sign_on_only) throw singleSignOnRequired(membership.name);
    const who = { organizationId: membership.id, userId: user.id };
    return inTransaction(db, async (transaction) => {
      await forgiveAttempt(transaction, attempt);
      if (!(await holdPassword(transaction, user))) throw refused();
      await startSession(context, transaction, who);
      await recordAudit(
        transaction,
        { ...anonymousSource(context, who.organizationId, who.userId), kind: 'session' },
        { action: 'session.started', subjectId: user.id, subjectName: user.name },
      );
      return presentSession(transaction, who);
    });
  },
});

function refused(): Problem {
  return new Problem('sign_in_failed', 'Incorrect email address or password.');
}
