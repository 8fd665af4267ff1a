/** Finds the caller of an access token: concurrent lookups share one query, and nothing is cached. */
import type { Actor } from '../../platform/core/operations/actor.ts';
import type { CredentialCheck } from '../../platform/core/operations/credential-check.ts';
import type { Clock } from '../../platform/core/text/clock.ts';
import { hashOf, hexHashOf } from '../../platform/core/text/secret-token.ts';
import { Batch } from '../../platform/core/work/batch.ts';
import { LastUsed } from '../../platform/core/work/last-used.ts';
import type { Db } from '../../platform/db/index.ts';
import { selectActorsByToken, selectTokenState, updateAgentsUsed } from './agent-store.ts';

export interface TokenFinder {
  find(token: string): Promise<Actor | undefined>;
  /** For the doctor: the owner of a token, or why it is rejected. A revoked token is unknown. */
  explain(token: string): Promise<CredentialCheck>;
  /** Saves which agents were used. */
  flush(): Promise<void>;
}

/** The format of the library: 256 random bits. */
const FORM = /^[\w-]{43}$/;

export function createTokenFinder(db: Db, clock: Clock): TokenFinder {
  const batch = new Batch<string, Actor>((hashes) => selectActorsByToken(db, hashes, clock.now()));
  const lastUsed = new LastUsed((ids, at) => updateAgentsUsed(db, ids, at), clock.now);
  return {
    async find(token) {
      if (!FORM.test(token)) return undefined;
      const actor = await batch.get(hexHashOf(token));
      if (actor) lastUsed.note(actor.credentialId);
      return actor;
    },
    async explain(token) {
      if (!FORM.test(token)) return { accepted: false, fault: 'malformed' };
      const state = await selectTokenState(db, hashOf(token), clock.now());
      if (!state) return { accepted: false, fault: 'unknown' };
      if (state.deactivated) return { accepted: false, fault: 'deactivated' };
      if (state.expired) return { accepted: false, fault: 'expired' };
      const { organization, role, user } = state;
      return { accepted: true, user, organization, role };
    },
    flush: () => lastUsed.flush(),
  };
}
