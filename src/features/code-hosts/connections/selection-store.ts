/** Queries for patterns of repositories to add. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

export interface NewSelection {
  id: string;
  organizationId: string;
  codeHostId: string;
  pattern: string;
  includeNew: boolean;
  createdBy: string;
  at: Date;
}

/** The same pattern again starts over. */
export async function upsertSelection(db: Db, selection: NewSelection): Promise<void> {
  await db
    .insertInto('code_host_selections')
    .values({
      id: selection.id,
      organization_id: selection.organizationId,
      code_host_id: selection.codeHostId,
      pattern: selection.pattern,
      include_new: selection.includeNew,
      created_by: selection.createdBy,
      created_at: selection.at,
    })
    .onConflict((conflict) =>
      conflict.columns(['code_host_id', 'pattern']).doUpdateSet({
        include_new: selection.includeNew,
        created_by: selection.createdBy,
        created_at: selection.at,
        finished_at: null,
        problem: null,
        added_count: 0,
      }),
    )
    .execute();
}

export function selectSelections(db: Db, codeHostIds: string[]) {
  return db
    .selectFrom('code_host_selections')
    .selectAll()
    .where(sql<boolean>`code_host_id = ANY(${codeHostIds}::uuid[])`)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export type SelectionRow = Awaited<ReturnType<typeof selectSelections>>[number];

/** The deleted pattern; undefined if there was none. */
export function deleteSelection(db: Db, organizationId: string, codeHostId: string, selectionId: string) {
  return db
    .deleteFrom('code_host_selections')
    .where('organization_id', '=', organizationId)
    .where('code_host_id', '=', codeHostId)
    .where('id', '=', selectionId)
    .returning('pattern')
    .executeTakeFirst();
}

export async function noteAdded(db: Db, selectionId: string): Promise<void> {
  await db
    .updateTable('code_host_selections')
    .set({ added_count: sql<number>`added_count + 1` })
    .where('id', '=', selectionId)
    .execute();
}

export async function noteSelectionProblem(db: Db, selectionId: string, problem: string): Promise<void> {
  await db.updateTable('code_host_selections').set({ problem }).where('id', '=', selectionId).execute();
}

/** All repositories were compared with it; one that was requested again meanwhile is compared again. */
export async function finishSelections(db: Db, selections: SelectionRow[]): Promise<void> {
  for (const { created_at, id } of selections) {
    await db
      .updateTable('code_host_selections')
      .set({ finished_at: sql<Date>`clock_timestamp()` })
      .where('id', '=', id)
      .where('created_at', '=', created_at)
      .execute();
  }
}
