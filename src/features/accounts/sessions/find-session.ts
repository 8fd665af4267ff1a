/** Finds the caller of a session token: concurrent lookups share one query, and nothing is cached. */
import type { Actor } from '../../../platform/core/operations/actor.ts';
import type { SessionLife } from '../../../platform/core/ports/retention.ts';
import type { Clock } from '../../../platform/core/text/clock.ts';
import { hexHashOf } from '../../../platform/core/text/secret-token.ts';
import { Batch } from '../../../platform/core/work/batch.ts';
import { LastUsed } from '../../../platform/core/work/last-used.ts';
import type { Db } from '../../../platform/db/index.ts';
import { selectActorsBySession, updateSessionsUsed } from '../store/session-store.ts';

export interface SessionFinder {
  find(token: string): Promise<Actor | undefined>;
  /** Saves which sessions were used, which also extends them. */
  flush(): Promise<void>;
}

export function createSessionFinder(db: Db, clock: Clock, life: SessionLife): SessionFinder {
  const batch = new Batch<string, Actor>((hashes) => selectActorsBySession(db, hashes, clock.now()));
  const lastUsed = new LastUsed((ids, at) => updateSessionsUsed(db, ids, at, life), clock.now);
  return {
    async find(token) {
      const actor = await batch.get(hexHashOf(token));
      if (actor) lastUsed.note(actor.credentialId);
      return actor;
    },
    flush: () => lastUsed.flush(),
  };
}
