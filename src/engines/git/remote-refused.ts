/** Says that an address or a credential is not one to fetch with. */

export type RefusalReason =
  /** It cannot be read as an address of a repository. */
  | 'syntax'
  /** A way of transport that is not accepted. */
  | 'transport'
  /** A user name or password stands in the address. */
  | 'credential_in_address'
  /** The credential does not fit the address. */
  | 'credential'
  | 'local'
  | 'not_there'
  /** The only one that may pass by itself. */
  | 'unknown_host'
  | 'private_address';

export class RemoteRefused extends Error {
  readonly reason: RefusalReason;

  /** The message is for the person who gave the address: what is wrong and what to do. */
  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.name = 'RemoteRefused';
    this.reason = reason;
  }
}
