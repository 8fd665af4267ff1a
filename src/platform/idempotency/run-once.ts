/**
 * Runs a request with an Idempotency-Key at most once. The key is held by an advisory lock, and the reply is saved in
 * the same transaction as the changes, so that after a crash either both exist or neither.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Problem } from '../core/errors/errors.ts';
import type { Actor } from '../core/operations/actor.ts';
import type { Clock } from '../core/text/clock.ts';
import { hashOf } from '../core/text/secret-token.ts';
import { type Db, inTransaction } from '../db/index.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;

export interface KeptReply {
  status: number;
  body: string | null;
}

export function runOnce<C extends { db: Db; clock: Clock }>(
  request: { actor: Actor; key: string; target: string; body: Buffer },
  context: C,
  run: (context: C) => Promise<KeptReply>,
): Promise<KeptReply> {
  const { actor, key, target } = request;
  const fingerprint = hashOf(JSON.stringify([actor.organizationId, actor.userId, target, key]));
  const bodyHash = createHash('sha256').update(request.body).digest();
  const now = context.clock.now();

  return inTransaction(context.db, async (transaction) => {
    if (!(await tryLock(transaction, fingerprint))) {
      throw new Problem(
        'idempotency_conflict',
        'The first request with this Idempotency-Key is still running.',
        {
          retryAfterSeconds: 1,
        },
      );
    }
    const kept = await selectReply(transaction, fingerprint, new Date(now.getTime() - KEPT_MS));
    if (kept) {
      if (!kept.body_hash.equals(bodyHash)) {
        throw new Problem(
          'idempotency_conflict',
          'This Idempotency-Key was already used with a different body.',
        );
      }
      return { status: kept.status, body: kept.reply };
    }
    const reply = await run({ ...context, db: transaction });
    await keepReply(transaction, {
      fingerprint,
      organizationId: actor.organizationId,
      bodyHash,
      reply,
      at: now,
    });
    return reply;
  });
}

/** Held until the transaction ends, however it ends. */
async function tryLock(db: Db, fingerprint: Buffer): Promise<boolean> {
  const number = fingerprint.readBigInt64BE(0).toString();
  const answer = await sql<{
    got: boolean;
  }>`SELECT pg_try_advisory_xact_lock(${number}::bigint) AS got`.execute(db);
  return answer.rows[0]!.got;
}

function selectReply(db: Db, fingerprint: Buffer, since: Date) {
  return db
    .selectFrom('idempotent_replies')
    .select(['body_hash', 'status', 'reply'])
    .where('fingerprint', '=', fingerprint)
    .where('created_at', '>', since)
    .executeTakeFirst();
}

async function keepReply(
  db: Db,
  kept: { fingerprint: Buffer; organizationId: string; bodyHash: Buffer; reply: KeptReply; at: Date },
): Promise<void> {
  const values = {
    body_hash: kept.bodyHash,
    status: kept.reply.status,
    reply: kept.reply.body,
    created_at: kept.at,
  };
  await db
    .insertInto('idempotent_replies')
    .values({ fingerprint: kept.fingerprint, organization_id: kept.organizationId, ...values })
    .onConflict((conflict) => conflict.column('fingerprint').doUpdateSet(values))
    .execute();
}

export async function deleteOldReplies(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('idempotent_replies')
    .where('created_at', '<=', new Date(now.getTime() - KEPT_MS))
    .execute();
}
