/** An organization is born together with its owner. */
import { type AuditSource, recordAudit } from '../audit/index.ts';
import { Problem } from '../core/errors.ts';
import { uuidv7 } from '../core/uuid.ts';
import type { Db } from '../db/index.ts';
import { insertMembership, insertOrganization, insertUser } from './account-store.ts';

type SourceFor = (organizationId: string, userId: string) => AuditSource;

/** With a new user as its owner. Call it inside a transaction. */
export async function createOrganization(
  db: Db,
  owner: { organizationName: string; name: string; email: string; passwordHash: string },
  sourceFor: SourceFor,
  at: Date,
): Promise<{ organizationId: string; userId: string }> {
  const { email, name, organizationName, passwordHash } = owner;
  const userId = uuidv7();
  if (!(await insertUser(db, { id: userId, email, name, passwordHash, at }))) {
    throw new Problem('conflict', `There is a user with the address ${email} already.`);
  }
  return joinNewOrganization(db, organizationName, { id: userId, name }, sourceFor, at);
}

/** With someone as its owner who is a user already. Call it inside a transaction. */
export async function joinNewOrganization(
  db: Db,
  organizationName: string,
  owner: { id: string; name: string },
  sourceFor: SourceFor,
  at: Date,
): Promise<{ organizationId: string; userId: string }> {
  const organizationId = uuidv7();
  await insertOrganization(db, { id: organizationId, name: organizationName, at });
  await insertMembership(db, { organizationId, userId: owner.id, role: 'owner', at });
  const source = sourceFor(organizationId, owner.id);
  await recordAudit(db, source, {
    action: 'organization.created',
    subjectId: organizationId,
    subjectName: organizationName,
  });
  await recordAudit(db, source, {
    action: 'member.added',
    subjectId: owner.id,
    subjectName: owner.name,
    detail: { role: 'owner' },
  });
  return { organizationId, userId: owner.id };
}
