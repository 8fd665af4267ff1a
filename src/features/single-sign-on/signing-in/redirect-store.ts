/** Queries for people who were sent to the provider and are expected back, and for logout tokens that were used. */
import type { Db } from '../../../platform/db/index.ts';

export interface NewRedirect {
  stateHash: Buffer;
  browserHash: Buffer;
  organizationId: string;
  userId: string | null;
  secrets: Buffer;
  returnTo: string;
  expiresAt: Date;
}

export async function insertRedirect(db: Db, redirect: NewRedirect): Promise<void> {
  await db
    .insertInto('single_sign_on_redirects')
    .values({
      state_hash: redirect.stateHash,
      browser_hash: redirect.browserHash,
      organization_id: redirect.organizationId,
      user_id: redirect.userId,
      secrets: redirect.secrets,
      return_to: redirect.returnTo,
      expires_at: redirect.expiresAt,
    })
    .execute();
}

/** Each can be used once, in the browser that it was started in. */
export function takeRedirect(db: Db, stateHash: Buffer, browserHash: Buffer, now: Date) {
  return db
    .deleteFrom('single_sign_on_redirects')
    .where('state_hash', '=', stateHash)
    .where('browser_hash', '=', browserHash)
    .where('expires_at', '>', now)
    .returning(['organization_id', 'user_id', 'secrets', 'return_to'])
    .executeTakeFirst();
}

/** False when the token was used before. */
export async function insertLogout(
  db: Db,
  logout: { organizationId: string; tokenHash: Buffer; expiresAt: Date },
): Promise<boolean> {
  const result = await db
    .insertInto('single_sign_on_logouts')
    .values({
      organization_id: logout.organizationId,
      token_hash: logout.tokenHash,
      expires_at: logout.expiresAt,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'token_hash']).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function deleteOldSignIns(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('single_sign_on_redirects').where('expires_at', '<=', now).execute();
  await db.deleteFrom('single_sign_on_logouts').where('expires_at', '<=', now).execute();
}
