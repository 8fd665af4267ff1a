/** Limits how many plans and repositories each credential follows at once on this node: each costs memory and database queries. */
import { Problem } from '../errors/errors.ts';
import { currentWork } from './work.ts';

export class OpenWaits {
  readonly #maxPerCredential: number;
  readonly #byCredential = new Map<string, number>();

  constructor(maxPerCredential: number) {
    this.#maxPerCredential = maxPerCredential;
  }

  /** The number of open waits across all credentials. */
  get total(): number {
    return this.#byCredential.values().reduce((sum, count) => sum + count, 0);
  }

  /** Opens a wait and returns the function that closes it; throws when the credential has too many. */
  open(credentialId: string): () => void {
    const count = (this.#byCredential.get(credentialId) ?? 0) + 1;
    if (count > this.#maxPerCredential) {
      throw new Problem(
        'rate_limited',
        `This credential already follows ${this.#maxPerCredential} plans and repositories on this node, the maximum. End one, or ask the operator to raise MAX_WAITS_PER_CREDENTIAL.`,
        { retryAfterSeconds: 10 },
      );
    }
    this.#byCredential.set(credentialId, count);
    const work = currentWork();
    if (work) work.isWaiting = true;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const rest = this.#byCredential.get(credentialId)! - 1;
      if (rest > 0) this.#byCredential.set(credentialId, rest);
      else this.#byCredential.delete(credentialId);
    };
  }
}
