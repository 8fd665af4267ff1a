/** The port through which features encrypt values that they must be able to read again, with the operator's secret. */

export interface SecretBox {
  /** The purpose names the value and its owner, such as `repository-credential:<id>`; only the same purpose opens it. */
  seal(text: string, purpose: string): Buffer;
  /** Throws when it was sealed with another secret or for another purpose, or was modified. */
  open(sealed: Buffer, purpose: string): string;
  /** 32 bytes for one purpose, the same on every node and after every restart. */
  derive(purpose: string): Buffer;
}

/** For the passphrase that seals the secret file in a backup. */
export const MIN_PASSPHRASE_CHARACTERS = 12;
