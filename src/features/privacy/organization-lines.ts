/** An organization as JSON lines: a consistent snapshot without secrets. */
import { Problem } from '../../platform/core/errors/errors.ts';
import { packageVersion } from '../../platform/core/text/package-version.ts';
import type { Db } from '../../platform/db/index.ts';
import {
  holdExport,
  readOrganizationRow,
  readTable,
  selectOrganizationTables,
} from './organization-rows-store.ts';

/** Work in progress, replies kept for a day, and a search index are of no use elsewhere; pending comments are their author's alone. */
const LEFT_OUT = new Set([
  'architecture_code_words',
  'architecture_words',
  'event_outbox',
  'idempotent_replies',
  'pending_comments',
]);

/**
 * Each line is an object with the kind of row, which is the name of its table, and the row. The first line describes the export, and
 * the last one has the number of rows, so that a truncated file is recognized. Yields several lines at a time, and returns the number
 * of rows. An export holds a connection while its reader takes the lines, so there is one at a time.
 */
export async function* organizationLines(
  db: Db,
  organizationId: string,
  at: Date,
): AsyncGenerator<string, number> {
  const reading = db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  const transaction = await reading.execute();
  try {
    if (!(await holdExport(transaction, organizationId)))
      throw new Problem(
        'conflict',
        'An export of this organization is already running. Try again when it has ended.',
      );
    const header = { format: 1, version: packageVersion(), organizationId, exportedAt: at.toISOString() };
    yield `${JSON.stringify({ kind: 'export', ...header })}\n`;
    const tables = (await selectOrganizationTables(transaction))
      .toReversed()
      .filter(({ name }) => !LEFT_OUT.has(name));
    const sources = [
      ...(['organizations', 'users'] as const).map((kind) => ({
        kind: kind as string,
        pieces: () => readOrganizationRow(transaction, organizationId, kind),
      })),
      ...tables.map((table) => ({
        kind: table.name,
        pieces: () => readTable(transaction, organizationId, table),
      })),
    ];
    let count = 0;
    for (const { kind, pieces } of sources) {
      for await (const rows of pieces()) {
        count += rows.length;
        yield rows.map((row) => `{"kind":${JSON.stringify(kind)},"row":${row}}\n`).join('');
      }
    }
    yield `${JSON.stringify({ kind: 'end', rows: count })}\n`;
    return count;
  } finally {
    // Nothing was written; this also ends an export whose reader left.
    await transaction.rollback().execute();
  }
}
