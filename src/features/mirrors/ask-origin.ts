/**
 * Asks the origin for refs that nobody recorded yet, because somebody named one. Those who ask at the same time share one fetch,
 * all nodes together ask each origin once in a few seconds, and people take turns. What is new is recorded for all nodes, and a
 * refresh is requested, which indexes it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../platform/core/errors/errors.ts';
import type { OriginAnswer } from '../../platform/core/ports/code-reader.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import { type Call, createFairQueue } from '../../platform/core/work/fair-queue.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import {
  ASK_EVERY_SECONDS,
  askForRefresh,
  type FoundRefs,
  lockAsked,
  selectAsk,
  takeAsk,
  writeRefs,
} from '../repositories/index.ts';
import { readRefs } from './read-refs.ts';
import type { OnRefreshed } from './refresh-mirror.ts';

/** How long a caller waits for the origin; the fetch goes on without them. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 200;
const MAX_REMEMBERED = 10_000;
/** Origins that never respond must not block others. */
const LIMITS = { maxRunning: 6, maxRunningPerCredential: 2, maxWaiting: 200, maxWaitingPerCredential: 20 };

export interface AskServices {
  db: Db;
  log: Log;
  announce(topic: string): void;
  gitDirOf(repositoryId: string): string;
  onHere(repositoryId: string, refsDigest: Buffer): void;
  /** With a fetch that starts after the call. */
  sync(repositoryId: string, signal: AbortSignal): Promise<void>;
  onRefreshed?: OnRefreshed | undefined;
  /** Fires when the service stops. */
  closing: AbortSignal;
  patienceMs?: number;
}

export function createOriginAsker(services: AskServices): {
  ask(repositoryId: string, call: Call): Promise<OriginAnswer>;
} {
  const { closing, db, log, patienceMs = PATIENCE_MS } = services;
  const turns = createFairQueue(LIMITS);
  /** By repository: when asking failed, if that was a moment ago. */
  const failedAt = new Map<string, number>();
  /** By repository: the one that is running, never more than there are repositories. */
  const rounds = new Map<string, { startedAt: number; answer: Promise<OriginAnswer> }>();

  const fetchNow = async (
    repositoryId: string,
    slot: { url: string; asOf: string },
    caller: Call['caller'],
  ) => {
    const endTurn = await turns.enter({ caller, signal: closing }, PATIENCE_MS);
    try {
      await services.sync(repositoryId, closing);
      const found = await readRefs(services.gitDirOf(repositoryId), closing);
      await record(services, repositoryId, slot, found);
    } finally {
      endTurn();
    }
  };

  /** Never rejects: nobody may be waiting for it anymore. */
  const runRound = async (repositoryId: string, caller: Call['caller']): Promise<OriginAnswer> => {
    try {
      for (;;) {
        const slot = await takeAsk(db, repositoryId);
        if (slot) {
          await fetchNow(repositoryId, slot, caller);
          return { kind: 'asked' };
        }
        const last = await selectAsk(db, repositoryId);
        if (!last || last.isAnswered) return { kind: 'recent', retryAfterMs: last?.waitMs ?? 0 };
        // Another node is asking, or failed a moment ago.
        await sleep(LOOK_EVERY_MS, undefined, { signal: closing });
      }
    } catch (error) {
      if (failedAt.size >= MAX_REMEMBERED) failedAt.clear();
      failedAt.set(repositoryId, performance.now());
      log.info({ err: error, repositoryId }, 'the origin of a repository could not be asked for new refs');
      return { kind: 'failed' };
    }
  };

  return {
    async ask(repositoryId, { caller, signal }) {
      const failed = failedAt.get(repositoryId) ?? -Infinity;
      if (performance.now() - failed < ASK_EVERY_SECONDS * 1000) return { kind: 'failed' };
      const running = rounds.get(repositoryId);
      const round = running ?? { startedAt: performance.now(), answer: runRound(repositoryId, caller) };
      if (!running) {
        rounds.set(repositoryId, round);
        void round.answer.then(() => rounds.delete(repositoryId));
      }
      const answer = await withPatience(round.answer, signal, patienceMs);
      if (!running || answer.kind !== 'asked') return answer;
      // It may have begun before the push of this caller.
      const retryAfterMs = ASK_EVERY_SECONDS * 1000 - (performance.now() - round.startedAt);
      return { kind: 'recent', retryAfterMs: Math.max(0, retryAfterMs) };
    },
  };
}

async function withPatience(
  answer: Promise<OriginAnswer>,
  signal: AbortSignal,
  patienceMs: number,
): Promise<OriginAnswer> {
  signal.throwIfAborted();
  const { promise: left, reject } = Promise.withResolvers<never>();
  const leave = () => reject(signal.reason);
  const timer = setTimeout(() => {
    const detail = 'The repository is still being fetched from its origin, which takes longer than usual.';
    reject(new Problem('repository_not_ready', detail, { retryAfterSeconds: ASK_EVERY_SECONDS }));
  }, patienceMs);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([answer, left]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  }
}

/** As a refresh does, unless newer refs are recorded by now. */
async function record(
  { announce, db, onHere, onRefreshed }: AskServices,
  repositoryId: string,
  slot: { url: string; asOf: string },
  found: FoundRefs,
): Promise<void> {
  const outcome = await inTransaction(db, async (transaction) => {
    const repository = await lockAsked(transaction, repositoryId, slot);
    if (!repository) return 'newer';
    await writeRefs(transaction, repository, found, slot.asOf);
    if (repository.refs_digest?.equals(found.digest)) return 'same';
    const { id, name, organization_id: organizationId } = repository;
    await onRefreshed?.(transaction, { id, organizationId, name, headCommit: found.headCommit });
    await askForRefresh(transaction, id);
    return 'changed';
  });
  if (outcome !== 'newer') onHere(repositoryId, found.digest);
  if (outcome === 'changed') announce(repositoryId);
}
