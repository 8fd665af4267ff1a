/** Queries for checking again whether the provider still accepts people. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

export interface DueCheck {
  id: string;
  organization_id: string;
  user_id: string;
  issuer: string;
  subject: string;
  refresh_token: Buffer | null;
  confirmed_at: Date;
}

/** Takes people who are due, so that no other node asks about them until the lease ends: a refresh token may work only once. */
export async function takeDueChecks(
  db: Db,
  now: Date,
  leaseEndsAt: Date,
  limit: number,
): Promise<DueCheck[]> {
  const result = await sql<DueCheck>`
    UPDATE single_sign_on_identities SET next_check_at = ${leaseEndsAt}
    WHERE id IN (
      SELECT i.id FROM single_sign_on_identities i
      JOIN single_sign_on s ON s.organization_id = i.organization_id
      JOIN memberships m ON m.organization_id = i.organization_id AND m.user_id = i.user_id
      WHERE i.next_check_at <= ${now} AND s.enabled AND s.switched_off_at IS NULL
        AND m.deactivated_at IS NULL AND m.suspended_at IS NULL
      ORDER BY i.next_check_at LIMIT ${limit}
      FOR UPDATE OF i SKIP LOCKED)
    RETURNING id, organization_id, user_id, issuer, subject, refresh_token, confirmed_at`.execute(db);
  return result.rows;
}

/** False when the person signed in meanwhile, which counts more. */
export async function updateChecked(
  db: Db,
  check: Pick<DueCheck, 'id' | 'refresh_token'>,
  change: { refresh_token?: Buffer | null; confirmed_at?: Date; next_check_at: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('single_sign_on_identities')
    .set(change)
    .where('id', '=', check.id)
    .where(sql<boolean>`refresh_token IS NOT DISTINCT FROM ${check.refresh_token}`)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** After a logout at the provider: checked at the next run. Null where there is no such person. */
export function makeDue(db: Db, organizationId: string, issuer: string, subject: string, now: Date) {
  return db
    .updateTable('single_sign_on_identities')
    .set({ next_check_at: now })
    .where('organization_id', '=', organizationId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning(['id', 'user_id', 'refresh_token'])
    .executeTakeFirst();
}

export function selectIdentitiesOfSession(db: Db, organizationId: string, providerSession: string) {
  return db
    .selectFrom('sessions as s')
    .innerJoin('single_sign_on_identities as i', 'i.id', 's.identity_id')
    .select(['i.subject', 'i.issuer'])
    .distinct()
    .where('s.organization_id', '=', organizationId)
    .where('s.provider_session', '=', providerSession)
    .where('s.identity_id', 'is not', null)
    .limit(100)
    .execute();
}
