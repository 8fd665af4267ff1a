/** POST /api/v2/invitations/accept: join with a new account, or with the existing account of the email address. */

import { definePublicOperation, type PublicContext } from '../../../context.ts';
import { type FieldError, invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { anonymousSource, recordAudit } from '../../audit/index.ts';
import { AcceptInvitationInput, NewPassword, SessionView } from '../contract.ts';
import { attemptOf } from '../sessions/known-device.ts';
import { checkPassword, hashPassword } from '../sessions/passwords.ts';
import { recordRefusal } from '../sessions/record-refusal.ts';
import { countAttempt, forgiveAttempt } from '../sessions/sign-in-attempt-store.ts';
import { presentSession, singleSignOnRequired, startSession } from '../sessions/start-session.ts';
import {
  type CheckedPassword,
  holdPassword,
  insertMembership,
  insertUser,
  isSingleSignOnOnly,
  selectMembershipsOf,
  selectUserByEmail,
} from '../store/account-store.ts';
import { markAccepted } from '../store/invitation-store.ts';
import { linkInvalid, openInvitation } from './open-invitation.ts';

export const acceptInvitation = definePublicOperation({
  name: 'accept-invitation',
  group: 'Accounts',
  summary: 'Join an organization by invitation',
  description:
    'Creates an account, or adds the existing account of the email address to the organization, and signs in.',
  http: { method: 'POST', path: '/api/v2/invitations/accept', status: 201 },
  input: AcceptInvitationInput,
  output: SessionView,
  problems: ['not_found', 'sign_in_failed', 'single_sign_on_required', 'conflict'],
  async run(context, input) {
    const { clock, db } = context;
    const invitation = await openInvitation(db, input.token, clock.now());
    if (await isSingleSignOnOnly(db, invitation.organization_id)) {
      throw singleSignOnRequired('This organization');
    }
    const known = await selectUserByEmail(db, invitation.email);
    if (known) await requirePassword(context, known, input.password);
    const passwordHash = known ? undefined : await hashPassword(checkedNewAccount(input));
    return inTransaction(db, async (transaction) => {
      const at = clock.now();
      if (known && !(await holdPassword(transaction, known))) throw wrongPassword();
      if (!(await markAccepted(transaction, invitation.id, at))) throw linkInvalid();
      const userId = known?.id ?? uuidv7();
      const name = known?.name ?? input.name!;
      if (passwordHash !== undefined) {
        const inserted = await insertUser(transaction, {
          id: userId,
          email: invitation.email,
          name,
          passwordHash,
          at,
        });
        if (!inserted)
          throw new Problem(
            'conflict',
            'An account with this email address was just created. Open the link again.',
          );
      }
      const who = { organizationId: invitation.organization_id, userId };
      if (!(await insertMembership(transaction, { ...who, role: invitation.role, at }))) {
        throw new Problem(
          'conflict',
          'This account is already a member of the organization. Sign in, or ask an administrator to reactivate you.',
        );
      }
      const source = anonymousSource(context, who.organizationId, userId);
      const subject = { subjectId: userId, subjectName: name, detail: { role: invitation.role } };
      await recordAudit(transaction, source, {
        action: 'invitation.accepted',
        ...subject,
        subjectId: invitation.id,
      });
      await recordAudit(transaction, source, { action: 'member.added', ...subject });
      await startSession(context, transaction, who);
      return presentSession(transaction, who);
    });
  },
});

async function requirePassword(
  context: PublicContext,
  user: CheckedPassword & { email: string; name: string },
  password: string,
): Promise<void> {
  const attempt = attemptOf(context, user.email, user);
  await countAttempt(context.db, attempt, context.clock.now());
  if (!(await checkPassword(user.password_hash, password))) {
    await recordRefusal(context, attempt, user, await selectMembershipsOf(context.db, user.id));
    throw wrongPassword();
  }
  await forgiveAttempt(context.db, attempt);
}

function wrongPassword(): Problem {
  return new Problem(
    'sign_in_failed',
    'This email address already has an account. Enter the password of that account.',
  );
}

/** A new account needs a name and a password that is long enough; returns the password. */
function checkedNewAccount(input: { name?: string; password: string }): string {
  const errors: FieldError[] = [];
  if (input.name === undefined) errors.push({ path: 'name', message: 'is required for a new account' });
  const password = NewPassword.safeParse(input.password);
  if (!password.success)
    errors.push(...password.error.issues.map(({ message }) => ({ path: 'password', message })));
  if (errors.length > 0) throw invalidRequest(errors);
  return input.password;
}
