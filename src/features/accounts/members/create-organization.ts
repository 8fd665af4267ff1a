/** Creates organizations, each together with its owner. */

import { Problem } from '../../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { Db } from '../../../platform/db/index.ts';
import { type AuditSource, recordAudit } from '../../audit/index.ts';
import { insertSettings } from '../../organization-settings/index.ts';
import { insertBuiltInReviewers } from '../../reviewers/index.ts';
import {
  anyOrganization,
  deleteSetupLinks,
  insertMembership,
  insertOrganization,
  insertUser,
  lockSetup,
} from '../store/account-store.ts';

interface NewOwner {
  organizationName: string;
  name: string;
  email: string;
  passwordHash: string;
}

type SourceFor = (organizationId: string, userId: string) => AuditSource;

/** Creates the first organization, once; afterwards no setup link works. Call it inside a transaction. */
export async function createFirstOrganization(
  db: Db,
  owner: NewOwner,
  sourceFor: SourceFor,
  at: Date,
): Promise<{ organizationId: string; userId: string }> {
  await lockSetup(db);
  if (await anyOrganization(db)) throw alreadySetUp();
  const who = await createOrganization(db, owner, sourceFor, at);
  await deleteSetupLinks(db);
  return who;
}

export function alreadySetUp(): Problem {
  return new Problem(
    'conflict',
    'This service has already been set up. Sign in, or ask an administrator for an invitation.',
  );
}

/** Creates an organization with a new user as its owner. Call it inside a transaction. */
export async function createOrganization(
  db: Db,
  owner: NewOwner,
  sourceFor: SourceFor,
  at: Date,
): Promise<{ organizationId: string; userId: string }> {
  const { email, name, organizationName, passwordHash } = owner;
  const userId = uuidv7();
  if (!(await insertUser(db, { id: userId, email, name, passwordHash, at }))) {
    throw new Problem('conflict', `A user with the email address ${email} already exists.`);
  }
  return joinNewOrganization(db, organizationName, { id: userId, name }, sourceFor, at);
}

/** Creates an organization with an existing user as its owner. Call it inside a transaction. */
export async function joinNewOrganization(
  db: Db,
  organizationName: string,
  owner: { id: string; name: string },
  sourceFor: SourceFor,
  at: Date,
): Promise<{ organizationId: string; userId: string }> {
  const organizationId = uuidv7();
  await insertOrganization(db, { id: organizationId, name: organizationName, at });
  await insertSettings(db, organizationId);
  await insertBuiltInReviewers(db, organizationId, at);
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
