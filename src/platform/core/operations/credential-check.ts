/** The doctor's report about a credential: its owner, or why it is rejected. */
import type { Role } from './actor.ts';

/** A credential whose record was deleted is `unknown` too. */
export type CredentialFault = 'malformed' | 'unknown' | 'revoked' | 'expired' | 'deactivated';

export type CredentialCheck =
  | { accepted: true; user: string; organization: string; role: Role }
  | { accepted: false; fault: CredentialFault };
