/**
 * Passes every event exactly once to its handlers, such as the inbox and webhooks. The transaction that writes an event
 * also adds its subject to `event_outbox`, so no event is lost if a process crashes.
 *
 * Invariants: a subject's progress (`handled`) is updated in the same transaction that handles its events; two workers
 * never handle events of the same subject at the same time; a subject's events are handled in order. An event that can't
 * be handled blocks only its own subject, and only until it is skipped.
 */
import type { Log } from '../../platform/core/telemetry/log.ts';
import { type Db, inTransaction, isOutage } from '../../platform/db/index.ts';
import {
  type Batch,
  claimEvents,
  type LockIdle,
  markHandled,
  type OutboxEvent,
  removeFinished,
  type Subject,
  subjectsAfter,
  type Which,
} from './event-outbox-store.ts';
import type { SubjectKind } from './subject.ts';

export type { OutboxEvent } from './event-outbox-store.ts';

/**
 * Handles a batch of events, up to hundreds, in the transaction that marks them as handled. Returns the IDs of subjects
 * that it added events to, usually none.
 */
export type EventHandler = (db: Db, events: OutboxEvent[], now: Date) => Promise<string[]>;

const EVENTS_PER_SUBJECT = 200;
const MAX_TRIES = 5;
/** The delay after the first failure; each further failure adds the same again. */
const RETRY_AFTER_MS = 5_000;
const STATEMENT_TIMEOUT = '57014';
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export interface EventOutbox {
  /** Handles all outstanding events. Returns how many there were. */
  run(db: Db, now: Date): Promise<number>;
}

export function createEventOutbox(services: {
  handlers: readonly EventHandler[];
  lockIdle: Record<SubjectKind, LockIdle>;
  /** Called after the commit for each subject that handlers added events to. */
  announce(subjectId: string): void;
  log: Log;
}): EventOutbox {
  const { announce, handlers, lockIdle, log } = services;
  /** Subjects whose next event could not be handled, with the number of attempts and the time of the next one. */
  const failing = new Map<string, { tries: number; retryAt: number }>();

  /** Handles one batch, all or nothing. */
  const handle = async (db: Db, now: Date, which: Which, eventsPerSubject: number): Promise<Batch> => {
    const { batch, touched } = await handleEvents(db, now, handlers, which, eventsPerSubject);
    for (const subjectId of touched) announce(subjectId);
    for (const { subjectId } of batch.events) failing.delete(subjectId);
    // Events added by handlers have to be handled as well.
    return { ...batch, full: batch.full || touched.size > 0 };
  };

  const removeHandled = async (db: Db, subjects: Subject[]): Promise<void> => {
    for (const [kind, some] of Map.groupBy(subjects, (subject) => subject.kind)) {
      await removeFinished(
        db,
        some.map(({ id }) => id),
        lockIdle[kind],
      );
    }
  };

  const handleSubject = async (db: Db, subjectId: string, now: Date): Promise<number> => {
    let handled = 0;
    for (;;) {
      try {
        const { events } = await handle(db, now, { subjectId }, 1);
        if (events.length === 0) return handled;
        handled += events.length;
      } catch (error) {
        if (isUnavailable(error)) throw error;
        const tries = (failing.get(subjectId)?.tries ?? 0) + 1;
        if (tries < MAX_TRIES) {
          failing.set(subjectId, { tries, retryAt: now.getTime() + tries * RETRY_AFTER_MS });
          log.warn({ err: error, subjectId, tries }, 'could not handle an event; will retry');
          return handled;
        }
        failing.delete(subjectId);
        const number = await skipNext(db, subjectId);
        log.error({ err: error, subjectId, number }, 'could not handle an event; skipped it');
      }
    }
  };

  /** Handles one batch per subject. Returns how many events were handled, and whether some subject has more. */
  const handleAll = async (db: Db, now: Date): Promise<{ handled: number; more: boolean }> => {
    let handled = 0;
    let more = false;
    for (let after = BEFORE_ALL; ; ) {
      const except = [...failing].flatMap(([subjectId, { retryAt }]) =>
        retryAt > now.getTime() ? [subjectId] : [],
      );
      try {
        const { events, full, subjects } = await handle(db, now, { after, except }, EVENTS_PER_SUBJECT);
        if (subjects.length === 0) return { handled, more };
        after = subjects.at(-1)!.id;
        handled += events.length;
        more ||= full;
        await removeHandled(db, subjects);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        for (const subject of await subjectsAfter(db, { after, except })) {
          handled += await handleSubject(db, subject.id, now);
          await removeHandled(db, [subject]);
          after = subject.id;
        }
      }
    }
  };

  return {
    async run(db, now) {
      let handled = 0;
      for (let more = true; more; ) {
        const pass = await handleAll(db, now);
        handled += pass.handled;
        more = pass.more;
      }
      return handled;
    },
  };
}

function handleEvents(
  db: Db,
  now: Date,
  handlers: readonly EventHandler[],
  which: Which,
  eventsPerSubject: number,
): Promise<{ batch: Batch; touched: Set<string> }> {
  return inTransaction(db, async (transaction) => {
    const batch = await claimEvents(transaction, which, eventsPerSubject);
    const touched = new Set<string>();
    if (batch.events.length === 0) return { batch, touched };
    for (const handler of handlers) {
      for (const subjectId of await handler(transaction, batch.events, now)) touched.add(subjectId);
    }
    await markHandled(transaction, batch.events);
    return { batch, touched };
  });
}

/** A statement timeout is caused by the event being handled, not by an outage. */
function isUnavailable(error: unknown): boolean {
  return isOutage(error) && (error as { code?: string }).code !== STATEMENT_TIMEOUT;
}

/** Skips the subject's next event, so that later ones can be handled. */
function skipNext(db: Db, subjectId: string): Promise<string | undefined> {
  return inTransaction(db, async (transaction) => {
    const [event] = (await claimEvents(transaction, { subjectId }, 1)).events;
    if (event) await markHandled(transaction, [event]);
    return event?.number;
  });
}
