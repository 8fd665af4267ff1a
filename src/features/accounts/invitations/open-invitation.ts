/** The invitation of a link, as long as it can be accepted. */
import { Problem } from '../../../platform/core/errors/errors.ts';
import { hashOf } from '../../../platform/core/text/secret-token.ts';
import type { Db } from '../../../platform/db/index.ts';
import { selectOpenInvitation } from '../store/invitation-store.ts';

export async function openInvitation(db: Db, token: string, now: Date) {
  const invitation = await selectOpenInvitation(db, hashOf(token), now);
  if (!invitation) throw linkInvalid();
  return invitation;
}

export function linkInvalid(): Problem {
  return new Problem('not_found', 'This invitation link is invalid or has expired. Ask for a new one.');
}
