/**
 * The queue: pg-boss behind a small interface. It has its own schema (`pgboss`) and connections, because it leaves a
 * connection in a broken transaction when one of its maintenance statements fails.
 */
import { CompiledQuery } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Log } from '../core/telemetry/log.ts';
import { type Connection, type Db, driverOptions, isOutage } from '../db/index.ts';
import type { JobKind, Queue } from './queue.ts';
import { type JobRunner, runJobs } from './run-jobs.ts';

const CONNECTIONS = 3;
/** A job without a heartbeat for this long is restarted by another process; the minimum in pg-boss. */
const SIGN_OF_LIFE_SECONDS = 10;
const LOOK_FOR_LOST_JOBS_SECONDS = 10;
const FINISHED_JOBS_KEPT_SECONDS = 3600;
/** Retries of a failed job: after a second or two, then with exponential backoff, up to every five minutes. */
const RETRIES = { retryLimit: 1000, retryDelay: 1, retryBackoff: true, retryDelayMax: 300 };
const FIRST_RESTART_MS = 5_000;
const MAX_RESTART_MS = 60_000;
/** While PostgreSQL is down, every poll fails; logging one of them now and then is enough. */
const SAME_OUTAGE_MS = 30_000;

export function createQueue(services: { connection: Connection; log: Log }): Queue {
  const { connection, log } = services;
  const { promise: whenStarted, resolve: tellStarted } = Promise.withResolvers<void>();
  const runners = new Map<string, JobRunner>();
  let boss: PgBoss | undefined;
  let starting: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopping: Promise<void> | undefined;
  let quietUntil = 0;

  const onError = (error: unknown) => {
    // A server that stops right after us may still respond to our termination message.
    if (isOutage(error) && (stopping || performance.now() < quietUntil)) return;
    quietUntil = performance.now() + SAME_OUTAGE_MS;
    log.warn({ err: shown(error) }, 'queue error');
  };
  const begin = async (kinds: readonly JobKind[], restartMs: number): Promise<void> => {
    try {
      boss = await openBoss(connection, kinds, { log, onError });
      for (const kind of kinds) runners.set(kind.name, runJobs(boss, kind, { log, onError }));
      tellStarted();
    } catch (error) {
      log.warn({ err: shown(error) }, 'could not start the queue; retrying');
      beginAfter(restartMs, kinds, Math.min(restartMs * 2, MAX_RESTART_MS));
    }
  };
  const beginAfter = (delayMs: number, kinds: readonly JobKind[], restartMs: number) => {
    if (stopping) return;
    timer = setTimeout(() => {
      starting = begin(kinds, restartMs);
    }, delayMs);
  };
  const end = async (): Promise<void> => {
    clearTimeout(timer);
    await starting;
    clearTimeout(timer);
    await Promise.all([...runners.values()].map((runner) => runner.stop()));
    await boss?.stop({ graceful: false });
  };

  return {
    whenStarted,
    started: () => runners.size > 0 && !stopping,
    async send(db, name, jobs) {
      const rows = jobs.map(({ data, group, priority, startAfter }) => ({
        data,
        startAfter,
        priority,
        group: group === undefined ? undefined : { id: group },
      }));
      await boss!.insert(name, rows, { db: through(db) });
    },
    wake: (name) => runners.get(name)?.wake(),
    start: (kinds, delayMs) => beginAfter(delayMs, kinds, FIRST_RESTART_MS),
    stop() {
      stopping ??= end();
      return stopping;
    },
  };
}

/** Runs pg-boss's statements on our connection, and so in our transaction. */
function through(db: Db) {
  return {
    async executeSql(text: string, values: unknown[] = []) {
      const { rows } = await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values));
      return { rows };
    },
  };
}

async function openBoss(
  connection: Connection,
  kinds: readonly JobKind[],
  { log, onError }: { log: Log; onError(error: unknown): void },
): Promise<PgBoss> {
  // Loaded on demand, because it takes a tenth of a second.
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    ...(driverOptions(connection) as object),
    application_name: 'countersign queue',
    max: CONNECTIONS,
    schema: 'pgboss',
    schedule: false,
    superviseIntervalSeconds: LOOK_FOR_LOST_JOBS_SECONDS,
    monitorIntervalSeconds: LOOK_FOR_LOST_JOBS_SECONDS,
    maintenanceIntervalSeconds: 600,
    // For dependencies between jobs, which we do not use.
    flowIntervalSeconds: 3600,
  });
  boss.on('error', onError);
  boss.on('warning', ({ message }) => log.info({ warning: message }, 'queue warning'));
  try {
    await boss.start();
    for (const { maxSeconds, name } of kinds) {
      const settings = {
        expireInSeconds: maxSeconds,
        heartbeatSeconds: SIGN_OF_LIFE_SECONDS,
        deleteAfterSeconds: FINISHED_JOBS_KEPT_SECONDS,
        ...RETRIES,
      };
      await boss.createQueue(name, settings);
      // An existing queue may have the settings of an earlier version.
      await boss.updateQueue(name, settings);
    }
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  }
}

/** The driver attaches its whole connection to an error, including the password; the log only needs the message. */
function shown(error: unknown): { message: string; code?: string; stack?: string } {
  const { code, message, stack } = error as Error & { code?: string };
  return { message, code, stack };
}
