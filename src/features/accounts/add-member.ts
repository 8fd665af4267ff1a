/** Puts a person into an organization without an invitation: the operator's way. */

import type { Role } from '../../platform/core/actor.ts';
import { Problem } from '../../platform/core/errors.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { type AuditSource, recordAudit } from '../audit/index.ts';
import { insertMembership, insertUser, type NewUser } from './account-store.ts';

/** `create` makes the account first; without it the user must exist. */
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
      throw new Problem('conflict', `There is a user with the address ${user.email} already.`);
    }
    if (!(await insertMembership(transaction, { organizationId, userId: user.id, role, at }))) {
      throw new Problem('conflict', `${user.email} belongs to the organization already.`);
    }
    await recordAudit(transaction, source, {
      action: 'member.added',
      subjectId: user.id,
      subjectName: user.name,
      detail: { role },
    });
  });
}
