/** Queries that end accounts, of one person or of an organization. */
import { sql } from 'kysely';
import { deletedAddress } from '../../../platform/core/text/deleted-address.ts';
import type { Db } from '../../../platform/db/index.ts';

/** The account can't be used anymore, and the email addresses that the person has or had are free again. */
export async function closeAccount(
  db: Db,
  userId: string,
  {
    at,
    emails,
    newName,
    passwordHash,
  }: { emails: string[]; newName: string; passwordHash: string; at: Date },
): Promise<void> {
  await db
    .updateTable('memberships')
    .set({ deactivated_at: sql`coalesce(deactivated_at, ${at})`, identity_link_until: null })
    .where('user_id', '=', userId)
    .execute();
  await db.deleteFrom('invitations').where('email', 'in', emails).execute();
  await deleteAttempts(db, emails);
  await db
    .updateTable('users')
    .set({ email: deletedAddress(userId), name: newName, password_hash: passwordHash })
    .where('id', '=', userId)
    .execute();
}

/** An organization of which nothing else is left, and the people who were members of no other. */
export async function deleteAccounts(
  db: Db,
  organizationId: string,
  people: { id: string; email: string }[],
): Promise<void> {
  await db.deleteFrom('organizations').where('id', '=', organizationId).execute();
  if (people.length === 0) return;
  await deleteAttempts(
    db,
    people.map(({ email }) => email),
  );
  await sql`DELETE FROM users WHERE id = ANY(${people.map(({ id }) => id)}::uuid[])`.execute(db);
}

async function deleteAttempts(db: Db, emails: string[]): Promise<void> {
  await sql`DELETE FROM sign_in_attempts WHERE account = ANY(${emails}::text[])`.execute(db);
}
