/** Queries on how settings and excluded paths changed. */
import { sql } from 'kysely';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import type { Db } from '../../platform/db/index.ts';

export async function insertSettingChange(
  db: Db,
  change: {
    organizationId: string;
    /** The switch or the repository. */
    subjectId: string;
    userId: string;
    before: object;
    after: object;
    at: Date;
  },
): Promise<void> {
  await db
    .insertInto('setting_changes')
    .values({
      id: uuidv7(),
      organization_id: change.organizationId,
      subject_id: change.subjectId,
      changed_by: change.userId,
      before: JSON.stringify(change.before),
      after: JSON.stringify(change.after),
      created_at: change.at,
    })
    .execute();
}

/** Newest first. */
export function selectSettingChanges(
  db: Db,
  organizationId: string,
  subjectId: string,
  page: { before?: { at: Date; id: string }; limit: number },
) {
  return db
    .selectFrom('setting_changes as c')
    .innerJoin('users as u', 'u.id', 'c.changed_by')
    .select(['c.id', 'c.created_at', 'c.changed_by', 'u.name as changed_by_name', 'c.before', 'c.after'])
    .where('c.organization_id', '=', organizationId)
    .where('c.subject_id', '=', subjectId)
    .$if(page.before !== undefined, (query) =>
      query.where(sql<boolean>`(c.created_at, c.id) < (${page.before!.at}, ${page.before!.id}::uuid)`),
    )
    .orderBy('c.created_at', 'desc')
    .orderBy('c.id', 'desc')
    .limit(page.limit)
    .execute();
}

export type SettingChangeRow = Awaited<ReturnType<typeof selectSettingChanges>>[number];
