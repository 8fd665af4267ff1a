/**
 * The library's memory in PostgreSQL. What a record is found by (a code, a token, the id of a request) is stored as its
 * SHA-256 alone; codes are used up atomically; and a request that somebody answered is there only for the session that
 * answered, which is what makes a consent worthless in any other browser.
 */
import type { Adapter, AdapterPayload, errors as Errors } from 'oidc-provider';
import type { Clock } from '../../platform/core/clock.ts';
import { hashOf } from '../../platform/core/secret-token.ts';
import { isUuid } from '../../platform/core/shapes.ts';
import { errorCode } from '../../platform/core/start-failure.ts';
import { uuidv7 } from '../../platform/core/uuid.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { recordAudit } from '../audit/index.ts';
import { deleteGrant } from './agent-store.ts';
import { LIFETIMES_MS, SECOND_USE_GRACE_MS } from './lifetimes.ts';
import { RECORD_KINDS, type RecordKind } from './record-kinds.ts';
import { consumeRecord, deleteRecord, extendRecord, selectRecord, upsertRecord } from './record-store.ts';
import { currentVisit } from './visit.ts';

interface AdapterServices {
  db: Db;
  clock: Clock;
  errors: typeof Errors;
  /** The secret of a client, made from its id: so none is stored. */
  clientSecretOf(clientId: string): string;
}

const FOREIGN_KEY_VIOLATION = '23503';

export function createAdapterFactory(services: AdapterServices): (name: string) => Adapter {
  return (name) =>
    (RECORD_KINDS as readonly string[]).includes(name)
      ? recordAdapter(name as RecordKind, services)
      : FORGETFUL;
}

/** The library's own session of a person is never kept: ours is the one that counts. */
const FORGETFUL: Adapter = {
  async upsert() {},
  async find() {},
  async findByUid() {},
  async findByUserCode() {},
  async consume() {},
  async destroy() {},
  async revokeByGrantId() {},
};

function recordAdapter(kind: RecordKind, services: AdapterServices): Adapter {
  const { clock, db, errors } = services;
  const after = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);

  /** Also recorded, because somebody may wonder why their agent is signed out. */
  const endGrant = (grantId: string) =>
    inTransaction(db, async (transaction) => {
      const ended = await deleteGrant(transaction, grantId);
      if (!ended) return;
      const { address, endsGrantBecause, requestId } = currentVisit();
      const { agent, organizationId, userId } = ended;
      await recordAudit(
        transaction,
        { organizationId, kind: 'oauth', userId, address, requestId, at: clock.now() },
        {
          action: 'agent.revoked',
          subjectId: grantId,
          subjectName: agent.name,
          detail: { because: endsGrantBecause },
        },
      );
    });

  return {
    ...FORGETFUL,
    async upsert(id, payload, expiresInSeconds) {
      const { grantId = null, ...kept } = withoutSecrets(payload);
      const lifetimeMs = expiresInSeconds ? expiresInSeconds * 1000 : LIFETIMES_MS.unusedClient;
      const record = {
        id: isUuid(id) ? id : uuidv7(),
        kind,
        keyHash: hashOf(id),
        payload: kept,
        grantId: grantId as string | null,
        at: clock.now(),
        expiresAt: after(lifetimeMs),
      };
      try {
        await inTransaction(db, async (transaction) => {
          if (kind === 'RefreshToken') {
            await extendRecord(transaction, 'Grant', hashOf(grantId as string), record.expiresAt);
            const client = hashOf(payload.clientId!);
            await extendRecord(transaction, 'Client', client, after(LIFETIMES_MS.usedClient));
          }
          await upsertRecord(transaction, record);
        });
      } catch (error) {
        // The grant was ended between the look at it and now.
        if (errorCode(error) === FOREIGN_KEY_VIOLATION) throw new errors.InvalidGrant('grant not found');
        throw error;
      }
    },

    async find(id) {
      const row = await selectRecord(db, kind, hashOf(id), clock.now());
      if (!row) return undefined;
      if (row.session_id !== null && row.session_id !== currentVisit().sessionId) return undefined;
      const payload = row.payload as AdapterPayload;
      return {
        ...payload,
        ...(kind === 'Client' ? secretOf(id, payload, services) : { jti: id }),
        ...(row.grant_id !== null && { grantId: row.grant_id }),
        // What the library sees as consumed, it ends the grant of.
        ...(row.consumed_at && row.consumed_at <= after(-SECOND_USE_GRACE_MS) && { consumed: true }),
      };
    },

    async consume(id) {
      const graceMs = kind === 'RefreshToken' ? SECOND_USE_GRACE_MS : undefined;
      const isOurs = await consumeRecord(db, kind, hashOf(id), clock.now(), graceMs);
      if (!isOurs) throw new errors.InvalidGrant('it was used already');
    },

    async destroy(id) {
      if (kind === 'Grant') return endGrant(id);
      const wasThere = await deleteRecord(db, kind, hashOf(id));
      if (!wasThere && kind === 'Interaction') {
        throw new errors.SessionNotFound('the request was continued already');
      }
    },

    /** Everything of a grant goes with it. */
    revokeByGrantId: endGrant,
  };
}

/** What the columns have, and what must not be stored: the id in all its places, and a client's secret. */
function withoutSecrets(payload: AdapterPayload): Record<string, unknown> {
  const { client_secret, consumed, exp, iat, jti, returnTo, ...kept } = payload as Record<string, unknown>;
  return kept;
}

function secretOf(
  id: string,
  payload: AdapterPayload,
  services: AdapterServices,
): { client_secret?: string } {
  return payload.token_endpoint_auth_method === 'none' ? {} : { client_secret: services.clientSecretOf(id) };
}
