/** An identity as it is shown. */

interface IdentityColumns {
  issuer: string | null;
  subject: string | null;
  identity_email: string | null;
  last_sign_in_at: Date | null;
  confirmed_at: Date | null;
  has_token: boolean;
}

/** Null where the member has none. */
export function presentIdentity(row: IdentityColumns | undefined) {
  if (!row || row.issuer === null) return null;
  return {
    issuer: row.issuer,
    subject: row.subject!,
    email: row.identity_email!,
    lastSignInAt: row.last_sign_in_at!.toISOString(),
    confirmedAt: row.confirmed_at!.toISOString(),
    recheckedWithToken: row.has_token,
  };
}
