/** Users and keys for tests: two organizations, each with one user of every role. */
import { hashPassword } from '../../../src/features/accounts/index.ts';
import { generateApiKey } from '../../../src/features/api-keys/index.ts';
import { operatorOf } from '../../../src/features/audit/index.ts';
import { insertSettings } from '../../../src/features/organization-settings/index.ts';
import { insertBuiltInReviewers } from '../../../src/features/reviewers/index.ts';
import { ROLES, type Role } from '../../../src/platform/core/operations/actor.ts';
import { hashOf, newToken } from '../../../src/platform/core/text/secret-token.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import type { Db } from '../../../src/platform/db/index.ts';

export const PASSWORD = 'correct horse battery staple';
let passwordHash: Promise<string> | undefined;

export interface Person {
  organizationId: string;
  userId: string;
  name: string;
  email: string;
  role: Role;
  /** The session token in the cookie. */
  token: string;
  sessionId: string;
  /** An API key. */
  key: string;
  keyId: string;
}

export interface Organization {
  id: string;
  name: string;
  owner: Person;
  admin: Person;
  member: Person;
  viewer: Person;
}

export async function makeOrganization(db: Db, name: string, now: Date): Promise<Organization> {
  const id = await makeEmptyOrganization(db, name, now);
  const people: Partial<Record<Role, Person>> = {};
  for (const role of ROLES) {
    const user = await makeUser(
      db,
      { name: `${name} ${role}`, email: `${role}@${name.toLowerCase()}.example` },
      now,
    );
    people[role] = await makePerson(db, id, user, role, now);
  }
  return { id, name, ...(people as Record<Role, Person>) };
}

/** Only its row, as every version of the schema has it. */
export async function makeOrganizationRow(db: Db, name: string, now: Date): Promise<string> {
  const id = uuidv7();
  await db.insertInto('organizations').values({ id, name, created_at: now }).execute();
  return id;
}

/** An organization with its settings and built-in reviewers, without people. */
export async function makeEmptyOrganization(db: Db, name: string, now: Date): Promise<string> {
  const id = await makeOrganizationRow(db, name, now);
  await insertSettings(db, id);
  await insertBuiltInReviewers(db, id, now);
  return id;
}

export async function makeUser(db: Db, user: { name: string; email: string }, now: Date) {
  passwordHash ??= hashPassword(PASSWORD);
  const id = uuidv7();
  await db
    .insertInto('users')
    .values({ id, ...user, password_hash: await passwordHash, created_at: now, password_changed_at: now })
    .execute();
  return { id, ...user };
}

/** A membership with a session and a key. */
export async function makePerson(
  db: Db,
  organizationId: string,
  user: { id: string; name: string; email: string },
  role: Role,
  now: Date,
): Promise<Person> {
  const who = { organizationId, userId: user.id };
  await db
    .insertInto('memberships')
    .values({ organization_id: organizationId, user_id: user.id, role, created_at: now })
    .execute();
  const token = newToken();
  const sessionId = uuidv7();
  await db
    .insertInto('sessions')
    .values({
      id: sessionId,
      token_hash: hashOf(token),
      organization_id: organizationId,
      user_id: user.id,
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + 14 * 24 * 60 * 60 * 1000),
      address: '127.0.0.1',
    })
    .execute();
  const made = await generateApiKey(db, who, 'test key', operatorOf(organizationId, now));
  return {
    ...who,
    name: user.name,
    email: user.email,
    role,
    token,
    sessionId,
    key: made.secret,
    keyId: made.row.id,
  };
}
