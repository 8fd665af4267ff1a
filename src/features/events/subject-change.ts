/** A change of a subject: its row is locked, every change is recorded as an event, and whoever waits for it is told after the commit. */
import type { Context } from '../../context.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { type ChangeSource, insertEvents, type NewEvent } from './event-store.ts';
import type { SubjectKind } from './subject.ts';

/** Background work, and what is read from a code host. */
export const BY_SERVICE: ChangeSource = { kind: 'service', userId: null, credentialId: null };

interface SubjectRow {
  id: string;
  organization_id: string;
  last_event: string;
}

/** A locked subject with its pending values and the events that will be recorded. Each kind of subject extends it. */
export abstract class SubjectChange<Row extends SubjectRow, Values extends object, Kind extends string> {
  readonly db: Db;
  readonly at: Date;
  readonly #subject: SubjectRow;
  readonly #events: NewEvent<Kind>[] = [];
  #values: Values | undefined;
  /** Set while history is imported: nothing that happened before the subject was known here causes an event. */
  silent = false;
  protected abstract readonly kind: SubjectKind;

  constructor(db: Db, row: Row, at: Date) {
    this.db = db;
    this.at = at;
    this.#subject = row;
  }

  /** `data` holds IDs and short facts; readers load the texts. `by` is who did it, if not who makes the change. */
  record(kind: Kind, data: Record<string, unknown>, by?: ChangeSource): void {
    if (this.silent) return;
    const number = Number(this.#subject.last_event) + this.#events.length + 1;
    this.#events.push({ number, kind, data, by });
  }

  set(values: Values): void {
    this.#values = { ...this.#values, ...values };
  }

  protected abstract update(
    values: Partial<Values> & { last_event: string },
    hasEvents: boolean,
  ): Promise<void>;

  /** Writes the events and the new values. Returns the topics to announce after the commit, none if nothing changed. */
  async write(source: ChangeSource): Promise<string[]> {
    if (this.#events.length === 0 && !this.#values) return [];
    const { id, last_event: before, organization_id: organizationId } = this.#subject;
    await insertEvents(
      this.db,
      {
        subjectKind: this.kind,
        subjectId: id,
        organizationId,
        actorKind: source.kind,
        actorUserId: source.userId,
        actorCredentialId: source.credentialId,
        at: this.at,
      },
      this.#events,
    );
    const last_event = String(Number(before) + this.#events.length);
    const values: Partial<Values> = { ...this.#values };
    await this.update({ ...values, last_event }, this.#events.length > 0);
    return [id];
  }
}

interface Writable {
  write(source: ChangeSource): Promise<string[]>;
}

/** For an operation: `lock` finds the subject, and `decide` changes it. */
export function changeSubject<Change extends Writable, T>(
  context: Context,
  lock: (db: Db) => Promise<Change>,
  decide: (change: Change) => Promise<T>,
): Promise<T> {
  return inTransaction(context.db, async (db) => {
    const change = await lock(db);
    const result = await decide(change);
    await finishChange(context, change);
    return result;
  });
}

/** For an operation that locked the subject itself. */
export async function finishChange(context: Context, change: Writable): Promise<void> {
  for (const topic of await change.write(context.actor))
    context.afterCommit(() => context.feed.announce(topic));
}

export interface ChangeServices {
  db: Db;
  /** Called after the commit. */
  announce(topic: string): void;
}

/** For background work: undefined if `lock` finds nothing. */
export async function changeSubjectAs<Change extends Writable, T>(
  services: ChangeServices,
  source: ChangeSource,
  lock: (db: Db) => Promise<Change | undefined>,
  decide: (change: Change) => Promise<T>,
): Promise<T | undefined> {
  const outcome = await inTransaction(services.db, async (db) => {
    const change = await lock(db);
    return change && { result: await decide(change), topics: await change.write(source) };
  });
  for (const topic of outcome?.topics ?? []) services.announce(topic);
  return outcome?.result;
}
