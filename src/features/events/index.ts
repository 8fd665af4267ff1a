/**
 * The public interface of events: what happened to each subject, numbered without gaps. It is the activity list, the change
 * feed, and the source for the inbox and webhooks.
 */
export { createEventOutbox, type EventHandler, type EventOutbox, type OutboxEvent } from './event-outbox.ts';
export type { LockIdle } from './event-outbox-store.ts';
export {
  type ChangeSource,
  deleteEvents,
  deleteEventsOf,
  type EventRow,
  insertEventRows,
  insertEvents,
  insertOutboxRows,
  type NewEvent,
  oldEvents,
  removeFromOutbox,
  selectEventsBefore,
} from './event-store.ts';
export { isOwn, presentEvent } from './present-event.ts';
export { streamEvents } from './stream-events.ts';
export type { SubjectKind } from './subject.ts';
export {
  BY_SERVICE,
  type ChangeServices,
  changeSubject,
  changeSubjectAs,
  finishChange,
  SubjectChange,
} from './subject-change.ts';
export { readSince, waitForEvents } from './wait-for-events.ts';
