/** Queries for people who were sent to a code host and are expected back. */
import type { Db } from '../../platform/db/index.ts';

export interface Visit {
  stateHash: Buffer;
  organizationId: string;
  userId: string;
  kind: 'github_app' | 'account';
  codeHostId: string;
  url: string;
  codeVerifier: Buffer | null;
  expiresAt: Date;
}

export async function insertVisit(db: Db, visit: Visit): Promise<void> {
  await db
    .insertInto('code_host_visits')
    .values({
      state_hash: visit.stateHash,
      organization_id: visit.organizationId,
      user_id: visit.userId,
      kind: visit.kind,
      code_host_id: visit.codeHostId,
      url: visit.url,
      code_verifier: visit.codeVerifier,
      expires_at: visit.expiresAt,
    })
    .execute();
}

/** Each can be used once, by the person who started it, in the same organization. */
export function takeVisit(
  db: Db,
  visit: Pick<Visit, 'stateHash' | 'organizationId' | 'userId' | 'kind'>,
  now: Date,
) {
  return db
    .deleteFrom('code_host_visits')
    .where('state_hash', '=', visit.stateHash)
    .where('organization_id', '=', visit.organizationId)
    .where('user_id', '=', visit.userId)
    .where('kind', '=', visit.kind)
    .where('expires_at', '>', now)
    .returning(['code_host_id', 'url', 'code_verifier'])
    .executeTakeFirst();
}

export async function deleteOldVisits(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('code_host_visits').where('expires_at', '<=', now).execute();
}
