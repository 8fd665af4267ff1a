/**
 * Stores the OAuth library's records in PostgreSQL. The key of a record (a code, a token, the id of a request) is stored
 * only as its SHA-256; codes are consumed atomically; and an answered request is visible only to the session that
 * answered it, which makes a consent useless in any other browser.
 */
import type { Adapter, AdapterPayload, errors as Errors } from 'oidc-provider';
import { errorCode } from '../../platform/core/errors/start-failure.ts';
import { isUuid } from '../../platform/core/operations/shapes.ts';
import type { Clock } from '../../platform/core/text/clock.ts';
import { hashOf } from '../../platform/core/text/secret-token.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
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
  /** The secret of a client, derived from its id, so that none is stored. */
  clientSecretOf(clientId: string): string;
}

const FOREIGN_KEY_VIOLATION = '23503';

export function createAdapterFactory(services: AdapterServices): (name: string) => Adapter {
  return (name) =>
    (RECORD_KINDS as readonly string[]).includes(name)
      ? recordAdapter(name as RecordKind, services)
      : FORGETFUL;
}

/** The library's own user session is never stored; only ours counts. */
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

  const isInGrace = (consumedAt: Date) => kind === 'RefreshToken' && consumedAt > after(-SECOND_USE_GRACE_MS);

  /** Also recorded in the audit log, because users may wonder why their agent was signed out. */
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
        // The grant was ended after it was checked.
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
        // The library ends the grant of any record that it sees as consumed.
        ...(row.consumed_at && !isInGrace(row.consumed_at) && { consumed: true }),
      };
    },

    async consume(id) {
      const graceMs = kind === 'RefreshToken' ? SECOND_USE_GRACE_MS : undefined;
      const isOurs = await consumeRecord(db, kind, hashOf(id), clock.now(), graceMs);
      if (isOurs) return;
      // A concurrent request used it after the library had read it here.
      const row = await selectRecord(db, kind, hashOf(id), clock.now());
      if (row?.grant_id) await endGrant(row.grant_id);
      throw new errors.InvalidGrant('already used');
    },

    async destroy(id) {
      if (kind === 'Grant') return endGrant(id);
      const wasThere = await deleteRecord(db, kind, hashOf(id));
      if (!wasThere && kind === 'Interaction') {
        throw new errors.SessionNotFound('the request was already continued');
      }
    },

    /** Everything that belongs to a grant is deleted with it. */
    revokeByGrantId: endGrant,
  };
}

/** Removes what the columns already hold and what must not be stored: the id in every field, and a client's secret. */
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
