/** Queries for people who were sent to a code host and are expected back. */
import type { Db } from '../../../platform/db/index.ts';

export interface PendingRedirect {
  stateHash: Buffer;
  organizationId: string;
  userId: string;
  kind: 'github_app' | 'account';
  codeHostId: string;
  url: string;
  codeVerifier: Buffer | null;
  expiresAt: Date;
}

export async function insertRedirect(db: Db, redirect: PendingRedirect): Promise<void> {
  await db
    .insertInto('code_host_redirects')
    .values({
      state_hash: redirect.stateHash,
      organization_id: redirect.organizationId,
      user_id: redirect.userId,
      kind: redirect.kind,
      code_host_id: redirect.codeHostId,
      url: redirect.url,
      code_verifier: redirect.codeVerifier,
      expires_at: redirect.expiresAt,
    })
    .execute();
}

/** Each can be used once, by the person who started it, in the same organization. */
export function takeRedirect(
  db: Db,
  redirect: Pick<PendingRedirect, 'stateHash' | 'organizationId' | 'userId' | 'kind'>,
  now: Date,
) {
  return db
    .deleteFrom('code_host_redirects')
    .where('state_hash', '=', redirect.stateHash)
    .where('organization_id', '=', redirect.organizationId)
    .where('user_id', '=', redirect.userId)
    .where('kind', '=', redirect.kind)
    .where('expires_at', '>', now)
    .returning(['code_host_id', 'url', 'code_verifier'])
    .executeTakeFirst();
}

export async function deleteOldRedirects(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('code_host_redirects').where('expires_at', '<=', now).execute();
}
