/** Finds the caller of an API key: concurrent lookups share one query, and nothing is cached. */
import type { Actor } from '../../platform/core/operations/actor.ts';
import type { Clock } from '../../platform/core/text/clock.ts';
import { hexHashOf } from '../../platform/core/text/secret-token.ts';
import { Batch } from '../../platform/core/work/batch.ts';
import { LastUsed } from '../../platform/core/work/last-used.ts';
import type { Db } from '../../platform/db/index.ts';
import { selectActorsByKey, updateLastUsed } from './api-key-store.ts';
import { isWellFormedKey } from './key-format.ts';

export interface KeyFinder {
  find(secret: string): Promise<Actor | undefined>;
  /** Saves which keys were used. */
  flush(): Promise<void>;
}

export function createKeyFinder(db: Db, clock: Clock): KeyFinder {
  // One query at a time: under load this serves more requests, and a single lookup never waits.
  const batch = new Batch<string, Actor>((hashes) => selectActorsByKey(db, hashes), {
    queriesAtOnce: 1,
    keysPerQuery: 500,
  });
  const lastUsed = new LastUsed((ids, at) => updateLastUsed(db, ids, at), clock.now);
  return {
    async find(secret) {
      if (!isWellFormedKey(secret)) return undefined;
      const actor = await batch.get(hexHashOf(secret));
      if (actor) lastUsed.note(actor.credentialId);
      return actor;
    },
    flush: () => lastUsed.flush(),
  };
}
