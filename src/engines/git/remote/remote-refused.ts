/** Thrown when an address or a credential can't be used. */

export type RefusalReason =
  /** Not a valid repository address. */
  | 'syntax'
  /** A transport that isn't accepted. */
  | 'transport'
  /** The address contains a user name or password. */
  | 'credential_in_address'
  /** The credential doesn't fit the address. */
  | 'credential'
  | 'local'
  | 'not_there'
  /** The only reason that may be temporary. */
  | 'unknown_host'
  | 'private_address';

export class RemoteRefused extends Error {
  readonly reason: RefusalReason;

  /** The message is for the user who entered the address: what is wrong and what to do. */
  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.name = 'RemoteRefused';
    this.reason = reason;
  }
}
