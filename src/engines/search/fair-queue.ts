/**
 * Decides which request runs next when there are more than can run at once: organizations take turns, and credentials
 * take turns within their organization.
 *
 * Invariants:
 * - At most `maxRunning` run, and at most `maxRunningPerCredential` of one credential. One organization never has all
 *   slots, so that the next one finds a free slot.
 * - At most `maxWaiting` wait, and at most `maxWaitingPerCredential` of one credential.
 * - While a request may run, one runs.
 * - A free slot goes to the organization with the fewest running requests, then to the one whose last turn is longest
 *   ago; the same rule picks a credential within it. Requests of one credential run in order of arrival.
 */
import type { CodeCall } from '../../platform/core/code-reader.ts';

export interface QueueLimits {
  maxRunning: number;
  maxRunningPerCredential: number;
  maxWaiting: number;
  maxWaitingPerCredential: number;
}

/**
 * The request gets no turn. `credential`: too many of this credential are waiting. `node`: too many are waiting in total.
 * `time`: it waited too long.
 */
export class NoTurn extends Error {
  readonly reason: 'credential' | 'node' | 'time';
  /** When to retry, estimated from recent turns. */
  readonly retryAfterMs: number;

  constructor(reason: NoTurn['reason'], retryAfterMs: number) {
    super(`No turn: ${reason}.`);
    this.name = 'NoTurn';
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface FairQueue {
  /** Resolves with a function that ends the turn. Rejects with `NoTurn`, or when aborted. */
  enter(call: CodeCall, maxWaitMs: number): Promise<() => void>;
  load(): { running: number; waiting: number };
}

interface Member {
  running: number;
  /** The number of its last turn, or of the latest turn overall when it joined. */
  lastTurn: number;
}

interface Credential extends Member {
  waiting: (() => void)[];
}

interface Organization extends Member {
  credentials: Map<string, Credential>;
}

/** The weight of the latest turn in the moving average of durations. */
const WEIGHT = 0.2;

export function createFairQueue(limits: QueueLimits, now: () => number = () => performance.now()): FairQueue {
  const { maxRunning, maxRunningPerCredential, maxWaiting, maxWaitingPerCredential } = limits;
  const maxRunningPerOrganization = Math.max(1, maxRunning - 1);
  /** Only those with running or waiting requests. */
  const organizations = new Map<string, Organization>();
  let [running, waiting, turns, averageMs] = [0, 0, 0, 0];

  /** Goes to the end of the rotation. */
  const newcomer = (): Member => ({ running: 0, lastTurn: turns });

  function join({ credentialId, organizationId }: CodeCall['caller']) {
    const organization = organizations.get(organizationId) ?? { ...newcomer(), credentials: new Map() };
    organizations.set(organizationId, organization);
    const credential: Credential = organization.credentials.get(credentialId) ?? {
      ...newcomer(),
      waiting: [],
    };
    organization.credentials.set(credentialId, credential);
    return { organization, credential };
  }

  function leave({ credentialId, organizationId }: CodeCall['caller']): void {
    const organization = organizations.get(organizationId);
    const credential = organization?.credentials.get(credentialId);
    if (credential?.running === 0 && credential.waiting.length === 0)
      organization!.credentials.delete(credentialId);
    if (organization?.credentials.size === 0) organizations.delete(organizationId);
  }

  const canRun = (credential: Credential) =>
    credential.waiting.length > 0 && credential.running < maxRunningPerCredential;
  const hasWork = (organization: Organization) =>
    organization.running < maxRunningPerOrganization && organization.credentials.values().some(canRun);

  function startNext(): void {
    while (running < maxRunning) {
      const organization = fewestRunning(organizations.values().filter(hasWork));
      if (!organization) return;
      const credential = fewestRunning(organization.credentials.values().filter(canRun))!;
      turns += 1;
      for (const member of [organization, credential]) {
        member.running += 1;
        member.lastTurn = turns;
      }
      running += 1;
      waiting -= 1;
      credential.waiting.shift()!();
    }
  }

  /** How long this many turns take at this concurrency. */
  const durationOf = (count: number, atOnce: number) => (averageMs * count) / atOnce;

  return {
    async enter({ caller, signal }, maxWaitMs) {
      signal.throwIfAborted();
      const { credential, organization } = join(caller);
      const mustWait =
        running >= maxRunning ||
        organization.running >= maxRunningPerOrganization ||
        credential.running >= maxRunningPerCredential;
      if (mustWait && credential.waiting.length >= maxWaitingPerCredential)
        throw new NoTurn('credential', durationOf(maxWaitingPerCredential, maxRunningPerCredential));
      if (mustWait && waiting >= maxWaiting) {
        leave(caller);
        throw new NoTurn('node', durationOf(waiting, maxRunning));
      }

      const { promise, reject, resolve } = Promise.withResolvers<void>();
      const stopWaiting = () => {
        signal.removeEventListener('abort', onAbort);
        clearTimeout(timer);
      };
      const start = () => {
        stopWaiting();
        resolve();
      };
      const giveUp = (reason: unknown) => {
        stopWaiting();
        credential.waiting.splice(credential.waiting.indexOf(start), 1);
        waiting -= 1;
        leave(caller);
        reject(reason);
      };
      const onAbort = () => giveUp(signal.reason);
      const timer = setTimeout(() => giveUp(new NoTurn('time', durationOf(waiting, maxRunning))), maxWaitMs);
      signal.addEventListener('abort', onAbort, { once: true });
      waiting += 1;
      credential.waiting.push(start);
      startNext();
      await promise;

      const startedAt = now();
      let hasEnded = false;
      return () => {
        if (hasEnded) return;
        hasEnded = true;
        averageMs =
          averageMs === 0 ? now() - startedAt : averageMs + WEIGHT * (now() - startedAt - averageMs);
        for (const member of [organization, credential]) member.running -= 1;
        running -= 1;
        leave(caller);
        startNext();
      };
    },
    load: () => ({ running, waiting }),
  };
}

function fewestRunning<Some extends Member>(members: Iterable<Some>): Some | undefined {
  let best: Some | undefined;
  for (const member of members) {
    const isBetter =
      !best ||
      member.running < best.running ||
      (member.running === best.running && member.lastTurn < best.lastTurn);
    if (isBetter) best = member;
  }
  return best;
}
