/** What the doctor is told about a credential: whose it is, or why it opens nothing. */
import type { Role } from './actor.ts';

/** `unknown` is also what a credential is whose record is gone. */
export type CredentialFault = 'malformed' | 'unknown' | 'revoked' | 'expired' | 'deactivated';

export type CredentialCheck =
  | { accepted: true; user: string; organization: string; role: Role }
  | { accepted: false; fault: CredentialFault };
