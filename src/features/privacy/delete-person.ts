/** Deletes a person: sessions, keys, agents, links and mail are deleted, and what they wrote stays under a replaced name. */
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { closeAccount, NO_PASSWORD } from '../accounts/index.ts';
import { clearPerson, operatorOf, recordAuditInEach } from '../audit/index.ts';
import {
  countPersonRows,
  DELETED_NAME,
  lockOrganizationsOf,
  PERSON_COLUMNS,
  type PersonToDelete,
  removePersonRows,
  selectEmails,
  selectOwnedAlone,
} from './person-store.ts';

/** Rows by table and column. */
export interface PersonRows {
  deleted: Record<string, number>;
  cleared: Record<string, number>;
  kept: Record<string, number>;
}

export async function countPerson(db: Db, userId: string): Promise<PersonRows> {
  const counts = Object.entries(await countPersonRows(db, userId));
  const of = (fate: string) =>
    Object.fromEntries(counts.filter(([column]) => PERSON_COLUMNS[column] === fate));
  return { deleted: of('delete'), cleared: of('clear'), kept: of('keep') };
}

/** In all organizations. An organization must keep an owner. */
export function deletePerson(db: Db, person: PersonToDelete, at: Date): Promise<PersonRows> {
  return inTransaction(db, async (transaction) => {
    const organizations = await lockOrganizationsOf(transaction, person.id);
    await requireOtherOwners(transaction, person);
    const rows = await countPerson(transaction, person.id);
    const emails = await selectEmails(transaction, person.id);
    await removePersonRows(transaction, person.id);
    await clearPerson(transaction, person, { emails, newName: DELETED_NAME });
    await closeAccount(transaction, person.id, {
      emails,
      newName: DELETED_NAME,
      passwordHash: NO_PASSWORD,
      at,
    });
    await recordAuditInEach(
      transaction,
      organizations.map((id) => operatorOf(id, at)),
      { action: 'member.deleted', subjectId: person.id, subjectName: DELETED_NAME },
    );
    return rows;
  });
}

export async function requireOtherOwners(db: Db, person: PersonToDelete): Promise<void> {
  const alone = await selectOwnedAlone(db, person.id);
  if (alone.length > 0)
    throw new StartFailure(
      'refused',
      `${person.email} is the only owner of ${alone.join(', ')}. Make someone else an owner first, or delete the organization.`,
    );
}
