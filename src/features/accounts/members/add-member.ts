/** Adds a user to an organization without an invitation, for the operator's command. */

import { Problem } from '../../../platform/core/errors/errors.ts';
import type { Role } from '../../../platform/core/operations/actor.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { type AuditSource, recordAudit } from '../../audit/index.ts';
import { insertMembership, insertUser, type NewUser } from '../store/account-store.ts';

/** `create` creates the account first; without it, the user must exist. */
export async function addMember(
  db: Db,
  user: { id: string; name: string; email: string },
  role: Role,
  source: AuditSource,
  create?: { passwordHash: string },
): Promise<void> {
  const { at, organizationId } = source;
  await inTransaction(db, async (transaction) => {
    if (create && !(await insertUser(transaction, { ...user, ...create, at } satisfies NewUser))) {
      throw new Problem('conflict', `A user with the email address ${user.email} already exists.`);
    }
    if (!(await insertMembership(transaction, { organizationId, userId: user.id, role, at }))) {
      throw new Problem('conflict', `${user.email} is already a member of the organization.`);
    }
    await recordAudit(transaction, source, {
      action: 'member.added',
      subjectId: user.id,
      subjectName: user.name,
      detail: { role },
    });
  });
}
