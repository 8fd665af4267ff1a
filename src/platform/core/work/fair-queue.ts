/**
 * Decides which request runs next when there are more than can run at once: organizations take turns, then people
 * within an organization, then the credentials of a person.
 *
 * Invariants:
 * - At most `maxRunning` run, and at most `maxRunningPerCredential` of one credential. One organization never has all
 *   slots, so that the next one finds a free slot.
 * - At most `maxWaiting` wait, and at most `maxWaitingPerCredential` of one credential.
 * - While a request may run, one runs.
 * - A free slot goes to the organization with the fewest running requests, then to the one whose last turn is longest
 *   ago; the same rule picks a person, and one of their credentials. Requests of one credential run in order of arrival.
 */

import { Problem } from '../errors/errors.ts';
import type { Actor } from '../operations/actor.ts';

export interface QueueLimits {
  maxRunning: number;
  maxRunningPerCredential: number;
  maxWaiting: number;
  maxWaitingPerCredential: number;
}

/** Who a request is made for; the signal fires when its result is no longer needed. */
export interface Call {
  caller: Pick<Actor, 'organizationId' | 'userId' | 'credentialId'>;
  signal: AbortSignal;
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

  /** The error that the caller reads; `work` is the plural noun for what was queued, such as `searches`. */
  toProblem(work: string): Problem {
    const options = { retryAfterSeconds: this.retryAfterMs / 1000, cause: this };
    if (this.reason === 'credential') {
      const detail = `Too many ${work} of this credential are waiting. Send fewer at a time.`;
      return new Problem('rate_limited', detail, options);
    }
    const detail =
      this.reason === 'node'
        ? `Too many ${work} are waiting on this node.`
        : 'The request timed out while waiting for its turn.';
    return new Problem('unavailable', detail, options);
  }
}

export interface FairQueue {
  /** Resolves with a function that ends the turn. Rejects with `NoTurn`, or when aborted. */
  enter(call: Call, maxWaitMs: number): Promise<() => void>;
  load(): { running: number; waiting: number };
}

/** A level of the queue: everyone, an organization, a person or a credential. Only credentials have requests waiting. */
interface Member {
  running: number;
  maxRunning: number;
  /** The number of its last turn, or of the latest turn overall when it joined. */
  lastTurn: number;
  /** Only those with running or waiting requests. */
  members: Map<string, Member>;
  waiting: (() => void)[];
}

/** The weight of the latest turn in the moving average of durations. */
const WEIGHT = 0.2;

export function createFairQueue(limits: QueueLimits, now: () => number = () => performance.now()): FairQueue {
  const { maxRunning, maxRunningPerCredential, maxWaiting, maxWaitingPerCredential } = limits;
  const maxRunningPerOrganization = Math.max(1, maxRunning - 1);
  let [waiting, turns, averageMs] = [0, 0, 0];

  /** Goes to the end of the rotation. */
  const newcomer = (maxRunningOfMember: number): Member => ({
    running: 0,
    maxRunning: maxRunningOfMember,
    lastTurn: turns,
    members: new Map(),
    waiting: [],
  });
  const everyone = newcomer(maxRunning);

  const levelsOf = ({ credentialId, organizationId, userId }: Call['caller']) => [
    { id: organizationId, maxRunning: maxRunningPerOrganization },
    { id: userId, maxRunning },
    { id: credentialId, maxRunning: maxRunningPerCredential },
  ];

  /** From everyone down to the credential. */
  function join(caller: Call['caller']): Member[] {
    const path = [everyone];
    for (const level of levelsOf(caller)) {
      const { members } = path.at(-1)!;
      const member = members.get(level.id) ?? newcomer(level.maxRunning);
      members.set(level.id, member);
      path.push(member);
    }
    return path;
  }

  function leave(caller: Call['caller'], path: Member[]): void {
    for (const [index, { id }] of levelsOf(caller).entries().toArray().reverse()) {
      const member = path[index + 1]!;
      const isIdle = member.running === 0 && member.waiting.length === 0 && member.members.size === 0;
      if (isIdle && path[index]!.members.get(id) === member) path[index]!.members.delete(id);
    }
  }

  function startNext(): void {
    while (canRun(everyone)) {
      turns += 1;
      let member = everyone;
      for (;;) {
        member.running += 1;
        member.lastTurn = turns;
        if (member.members.size === 0) break;
        member = fewestRunning(member.members.values().filter(canRun))!;
      }
      waiting -= 1;
      member.waiting.shift()!();
    }
  }

  /** How long this many turns take at this concurrency. */
  const durationOf = (count: number, atOnce: number) => (averageMs * count) / atOnce;

  return {
    async enter({ caller, signal }, maxWaitMs) {
      signal.throwIfAborted();
      const path = join(caller);
      const credential = path.at(-1)!;
      const mustWait = path.some((member) => member.running >= member.maxRunning);
      if (mustWait && credential.waiting.length >= maxWaitingPerCredential)
        throw new NoTurn('credential', durationOf(maxWaitingPerCredential, maxRunningPerCredential));
      if (mustWait && waiting >= maxWaiting) {
        leave(caller, path);
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
        leave(caller, path);
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
        for (const member of path) member.running -= 1;
        leave(caller, path);
        startNext();
      };
    },
    load: () => ({ running: everyone.running, waiting }),
  };
}

function canRun(member: Member): boolean {
  if (member.running >= member.maxRunning) return false;
  return member.waiting.length > 0 || member.members.values().some(canRun);
}

function fewestRunning(members: Iterable<Member>): Member | undefined {
  let best: Member | undefined;
  for (const member of members) {
    const isBetter =
      !best ||
      member.running < best.running ||
      (member.running === best.running && member.lastTurn < best.lastTurn);
    if (isBetter) best = member;
  }
  return best;
}
