/**
 * Limits how many bytes of request bodies are held at once: for one sender of signed bodies, for one address, and in this process. A body
 * counts until its reply is sent. A large one counts as a whole before it is read, and a little longer; a small one as it arrives.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../platform/core/errors/errors.ts';
import { networkOf } from '../../platform/core/network/network.ts';

/** Larger bodies leave a quarter of each limit to the others, so that neither a flood nor stalled uploads stop ordinary requests. */
export const LARGE_BODY_BYTES = 64 * 1024;
const SHARE_OF_LARGE = 0.75;

/** Limits as multiples of the largest body: 8, 32 and 64 MiB by default. */
const BODIES_PER_SENDER = 4;
const BODIES_PER_ADDRESS = 16;
const BODIES_PER_PROCESS = 32;

/** How much longer a large body counts, which also limits how many are read in a second. */
const LARGE_COUNTS_MS = 250;

const RETRY_AFTER_SECONDS = 5;

export class BytesInFlight {
  readonly #bodyLimitBytes: number;
  readonly #held = new Map<string, number>();

  constructor(bodyLimitBytes: number) {
    this.#bodyLimitBytes = bodyLimitBytes;
  }

  /** `sender`: whose signed bodies count together. */
  open({ headers, ip }: FastifyRequest, { raw }: FastifyReply, sender?: string): IncomingBody {
    let counted: Counted[] | undefined;
    let taken = 0;
    const release = () => this.#add(counted!, -taken);
    return {
      begin: () => {
        if (headers.expect !== undefined) raw.writeContinue();
      },
      hold: (bytes, isLarge) => {
        if (!counted) {
          counted = this.#countedFor(ip, sender);
          raw.once('close', () => {
            if (taken > LARGE_BODY_BYTES) setTimeout(release, LARGE_COUNTS_MS).unref();
            else release();
          });
        }
        const full = counted.find(
          ({ key, limit }) =>
            (this.#held.get(key) ?? 0) + bytes >
            this.#bodyLimitBytes * limit * (isLarge ? SHARE_OF_LARGE : 1),
        );
        if (full)
          throw new Problem('unavailable', `Too many request bodies ${full.of} are being received.`, {
            retryAfterSeconds: RETRY_AFTER_SECONDS,
          });
        taken += bytes;
        this.#add(counted, bytes);
      },
    };
  }

  #countedFor(ip: string, sender: string | undefined): Counted[] {
    const counted = [
      { key: '', limit: BODIES_PER_PROCESS, of: 'on this node' },
      { key: `address ${networkOf(ip)}`, limit: BODIES_PER_ADDRESS, of: 'from this address' },
    ];
    if (sender !== undefined)
      counted.push({ key: `sender ${sender}`, limit: BODIES_PER_SENDER, of: 'from this sender' });
    return counted;
  }

  #add(counted: Counted[], bytes: number): void {
    for (const { key } of counted) {
      const held = (this.#held.get(key) ?? 0) + bytes;
      if (held === 0) this.#held.delete(key);
      else this.#held.set(key, held);
    }
  }
}

interface Counted {
  key: string;
  limit: number;
  of: string;
}

/** The body of one request, before and while it is read. */
export interface IncomingBody {
  /** Lets a client that asked for permission send it. */
  begin(): void;
  /** Throws a `Problem` if that is more than may be held. */
  hold(bytes: number, isLarge: boolean): void;
}
