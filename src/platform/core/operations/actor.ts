/** Who is calling: always one user in one organization, with that user's role as it is now. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** How the caller proved who they are. */
export type CredentialKind = 'key' | 'session' | 'oauth';

export interface Actor {
  kind: CredentialKind;
  credentialId: string;
  organizationId: string;
  userId: string;
  userName: string;
  role: Role;
}

export function hasRole(role: Role, minimum: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(minimum);
}

/** A credential's row joined with its user and membership, as every caller lookup reads it. */
export interface ActorRow {
  hash: string;
  id: string;
  organization_id: string;
  user_id: string;
  name: string;
  role: Role;
}

/** The callers found by a lookup, by the hash of their credential. */
export function actorsByHash(kind: CredentialKind, rows: ActorRow[]): Map<string, Actor> {
  return new Map(
    rows.map((row) => [
      row.hash,
      {
        kind,
        credentialId: row.id,
        organizationId: row.organization_id,
        userId: row.user_id,
        userName: row.name,
        role: row.role,
      },
    ]),
  );
}
