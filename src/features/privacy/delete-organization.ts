/** Deletes an organization with everything in it, in one transaction. */
import { type Db, inTransaction, repeatConflicts } from '../../platform/db/index.ts';
import { deleteAccounts } from '../accounts/index.ts';
import { deleteJobsOf } from '../system/index.ts';
import {
  clearReferences,
  countOrganizationRows,
  deleteOrganizationTable,
  lockOrganization,
  selectOnlyHere,
  selectOrganizationTables,
} from './organization-rows-store.ts';

/** Rows by table; people who stay in another organization don't count. */
export type RowCounts = Record<string, number>;

export async function countOrganization(db: Db, organizationId: string): Promise<RowCounts> {
  const counts = await countOrganizationRows(db, organizationId, await selectOrganizationTables(db));
  return { ...counts, users: (await selectOnlyHere(db, organizationId)).length };
}

/** Undefined if it is already gone. Each node deletes its copies of the repositories within an hour. */
export function deleteOrganization(db: Db, organizationId: string): Promise<RowCounts | undefined> {
  // Background work locks rows of the organization in other orders.
  return repeatConflicts(() => deleteRows(db, organizationId));
}

function deleteRows(db: Db, organizationId: string): Promise<RowCounts | undefined> {
  return inTransaction(db, async (transaction) => {
    if (!(await lockOrganization(transaction, organizationId))) return undefined;
    const tables = await selectOrganizationTables(transaction);
    const counts = await countOrganizationRows(transaction, organizationId, tables);
    const people = await selectOnlyHere(transaction, organizationId);
    await deleteJobsOf(transaction, organizationId);
    for (const table of tables) await clearReferences(transaction, organizationId, table);
    for (const table of tables) await deleteOrganizationTable(transaction, organizationId, table);
    await deleteAccounts(transaction, organizationId, people);
    return { ...counts, users: people.length };
  });
}
