/** An organization as JSON lines: a consistent snapshot without secrets. */
import { packageVersion } from '../../platform/core/package-version.ts';
import type { Db } from '../../platform/db/index.ts';
import { readOrganizationRow, readTable, selectOrganizationTables } from './organization-rows-store.ts';

/** Work in progress, replies kept for a day, and a search index: of no use elsewhere. */
const LEFT_OUT = new Set(['architecture_words', 'event_outbox', 'idempotent_replies']);

/**
 * Each line is an object with the kind of row, which is the name of its table, and the row. The first line describes the export, and
 * the last one has the number of rows, so that a truncated file is recognized.
 */
export async function exportOrganization(
  db: Db,
  organizationId: string,
  options: { at: Date; write(lines: string): Promise<void> },
): Promise<number> {
  const { at, write } = options;
  const reading = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return reading.execute(async (transaction) => {
    let count = 0;
    const writeRows = async (kind: string, pieces: AsyncIterable<string[]>) => {
      for await (const rows of pieces) {
        count += rows.length;
        await write(rows.map((row) => `{"kind":${JSON.stringify(kind)},"row":${row}}\n`).join(''));
      }
    };
    const header = { format: 1, version: packageVersion(), organizationId, exportedAt: at.toISOString() };
    await write(`${JSON.stringify({ kind: 'export', ...header })}\n`);
    for (const what of ['organizations', 'users'] as const) {
      await writeRows(what, readOrganizationRow(transaction, organizationId, what));
    }
    for (const table of (await selectOrganizationTables(transaction)).toReversed()) {
      if (!LEFT_OUT.has(table.name))
        await writeRows(table.name, readTable(transaction, organizationId, table));
    }
    await write(`${JSON.stringify({ kind: 'end', rows: count })}\n`);
    return count;
  });
}
