/** Queries for the first steps of one person in one organization. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';

export interface Person {
  organizationId: string;
  userId: string;
}

export function selectFirstSteps(db: Db, person: Person) {
  return db
    .selectFrom('first_steps')
    .select(['agent_name', 'agent_connected_at', 'skipped'])
    .where('organization_id', '=', person.organizationId)
    .where('user_id', '=', person.userId)
    .executeTakeFirst();
}

/** Only the first agent is recorded. */
export async function saveAgent(db: Db, person: Person, name: string, at: Date): Promise<void> {
  await sql`INSERT INTO first_steps AS f (organization_id, user_id, agent_name, agent_connected_at)
    VALUES (${person.organizationId}, ${person.userId}, ${name}, ${at})
    ON CONFLICT (organization_id, user_id) DO UPDATE SET agent_name = ${name}, agent_connected_at = ${at}
    WHERE f.agent_connected_at IS NULL`.execute(db);
}

/** Each step at most once, also if two requests skip different ones at once. */
export async function saveSkipped(db: Db, person: Person, step: string, isSkipped: boolean): Promise<void> {
  await sql`INSERT INTO first_steps AS f (organization_id, user_id, skipped)
    VALUES (${person.organizationId}, ${person.userId}, ${isSkipped ? [step] : []}::text[])
    ON CONFLICT (organization_id, user_id)
    DO UPDATE SET skipped = array_remove(f.skipped, ${step}) || excluded.skipped`.execute(db);
}
