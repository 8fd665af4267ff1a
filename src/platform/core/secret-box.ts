/** The port through which features keep what they must be able to read again: sealed with the operator's secret. */

export interface SecretBox {
  /** The purpose says what it is and whose, such as `repository-credential:<id>`: it opens for that purpose alone. */
  seal(text: string, purpose: string): Buffer;
  /** Fails when it was sealed with another secret, for another purpose, or was changed since. */
  open(sealed: Buffer, purpose: string): string;
  /** 32 bytes for one purpose, the same on every node and at every start. */
  derive(purpose: string): Buffer;
}
