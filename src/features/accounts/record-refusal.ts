/**
 * A refused attempt, written down in every organization that the account belongs to: each may be what the guess was
 * after. Without an account as much is read and written, so that the time of the reply does not tell the two apart.
 */

import type { PublicContext } from '../../context.ts';
import { recordAuditInEach, visitorTo } from '../audit/index.ts';
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
    memberships.map(({ id }) => visitorTo(context, id, null)),
    { action: 'session.refused', subjectId: user.id, subjectName: user.name },
  );
}
