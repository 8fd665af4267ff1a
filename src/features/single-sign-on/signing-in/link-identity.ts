/** Links the account of someone who is signed in to who they are at the provider. */

import type { PublicContext } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { Db } from '../../../platform/db/index.ts';
import { updateMembershipAccess } from '../../accounts/index.ts';
import { deleteIdentityOf, lockIdentity, lockMembership } from '../identities/identity-store.ts';
import { type Admitted, addIdentity, type FoundPerson } from './admit-person.ts';

/** `present` is the user whose session the browser has; only the one who started the link may finish it. */
export async function linkIdentity(
  context: PublicContext,
  transaction: Db,
  found: FoundPerson,
  { present, userId }: { userId: string; present: string | undefined },
): Promise<Admitted> {
  const { person, row } = found;
  const owner = { organizationId: row.organization_id, userId };
  const membership = await lockMembership(transaction, owner);
  if (present !== userId || !membership || membership.deactivated_at !== null) {
    throw new Problem(
      'single_sign_on_failed',
      'You were signed out in the meantime. Sign in, then link again.',
    );
  }
  const key = { organizationId: row.organization_id, issuer: person.issuer, subject: person.subject };
  const identity = await lockIdentity(transaction, key);
  if (identity && identity.user_id !== userId) {
    throw new Problem('single_sign_on_failed', 'This account at the provider is linked to another member.');
  }
  await deleteIdentityOf(transaction, owner);
  await updateMembershipAccess(transaction, owner, { suspended_at: null, identity_link_until: null });
  return addIdentity(context, transaction, found, { id: userId, name: membership.name });
}
