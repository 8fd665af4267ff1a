/**
 * Records a failed sign-in in the audit log of every organization of the account, because any of them may be the target.
 * Without an account, the same amount is read and written, so that response times do not reveal whether it exists.
 */

import type { PublicContext } from '../../../context.ts';
import { anonymousSource, recordAuditInEach } from '../../audit/index.ts';
import { touchAttempt } from './sign-in-attempt-store.ts';
import type { Attempt } from './sign-in-limits.ts';

export async function recordRefusal(
  context: PublicContext,
  attempt: Attempt,
  user: { id: string; name: string } | undefined,
  memberships: { id: string }[],
): Promise<void> {
  if (!user || memberships.length === 0) return touchAttempt(context.db, attempt);
  await recordAuditInEach(
    context.db,
    memberships.map(({ id }) => anonymousSource(context, id, null)),
    { action: 'session.refused', subjectId: user.id, subjectName: user.name },
  );
}
