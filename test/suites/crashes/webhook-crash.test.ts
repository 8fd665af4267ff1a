/** A delivery survives the death of its process: another worker delivers it. */
import { afterAll, expect, it, vi } from 'vitest';
import { newWebhookSecret } from '../../../src/features/webhooks/sign-delivery.ts';
import { insertWebhook } from '../../../src/features/webhooks/webhook-store.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { createTestDatabase, urlOf } from '../../helpers/database/database.ts';
import { endProcesses, startCountersign } from '../../helpers/processes/countersign-process.ts';
import { cleanUp } from '../../helpers/processes/real-processes.ts';
import { addComment, makePlan } from '../../helpers/rows/plan-rows.ts';
import { isSigned, startReceiver } from '../../helpers/servers/webhook-receiver.ts';
import { makeOrganization } from '../../helpers/service/factories.ts';

vi.setConfig({ testTimeout: 180_000 });
const connection = await createTestDatabase();
const database = await openDatabase(connection, { poolSize: 4, onConnectionLost: () => undefined });
const { db } = database;
const receiver = await startReceiver();
afterAll(async () => {
  await endProcesses();
  await cleanUp();
  await receiver.close();
  await database.close();
});

const env = {
  DATABASE_URL: urlOf(connection),
  ROLES: 'worker',
  ALLOW_PRIVATE_ADDRESSES: 'true',
};

async function startWorkerProcess(logLevel = 'warn') {
  const worker = startCountersign(['serve'], { env: { ...env, LOG_LEVEL: logLevel } });
  await worker.until(/running background jobs only/);
  return worker;
}

it('kill -9 during a delivery: another worker delivers it, and every event arrives', async () => {
  const now = new Date();
  const acme = await makeOrganization(db, 'Acme', now);
  const [id, secret] = [uuidv7(), newWebhookSecret()];
  await insertWebhook(db, {
    id,
    organizationId: acme.id,
    url: receiver.url,
    sealedUrl: null,
    format: 'json',
    repositoryId: null,
    sealedSecret: Buffer.alloc(0),
    eventKinds: [],
    enabled: true,
    createdBy: acme.admin.userId,
    at: now,
  });
  // As an earlier version stored it: the first worker seals it at startup.
  await db.updateTable('webhooks').set({ secret, sealed_secret: null }).where('id', '=', id).execute();
  const first = await startWorkerProcess();
  const asked = Promise.withResolvers<void>();
  receiver.answer(() => asked.resolve());
  const plan = await makePlan(db, acme.member);
  await asked.promise;
  // The receiver has it, nothing is recorded yet, and more deliveries are pending.
  first.child.kill('SIGKILL');
  await first.ended;
  await addComment(db, plan, acme.admin);
  const [held] = await db.selectFrom('webhook_deliveries').selectAll().execute();
  expect(held).toMatchObject({ state: 'pending', attempts: 1, last_attempt_at: null });

  receiver.answer((response) => void response.writeHead(204).end());
  const second = await startWorkerProcess();
  await vi.waitFor(
    async () => {
      const rows = await db.selectFrom('webhook_deliveries').select('state').execute();
      expect(rows).toEqual([{ state: 'succeeded' }, { state: 'succeeded' }]);
    },
    { timeout: 90_000, interval: 100 },
  );
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(3);
  expect(ids.filter((id) => id === held!.id)).toHaveLength(2);
  for (const delivery of receiver.received) expect(isSigned(delivery, secret)).toBe(true);

  second.child.kill('SIGTERM');
  expect(await second.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
});

it('SIGTERM during a delivery: it is finished first', async () => {
  receiver.received.length = 0;
  const worker = await startWorkerProcess('info');
  receiver.answer(async (response) => {
    worker.child.kill('SIGTERM');
    await worker.until(/stopping/);
    response.writeHead(204).end();
  });
  const [organization] = await db.selectFrom('organizations').select('id').execute();
  const [person] = await db.selectFrom('users').select('id').execute();
  await makePlan(db, { organizationId: organization!.id, userId: person!.id });
  expect(await worker.ended).toMatchObject({ code: 0, signal: null });
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select('state')
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  expect([rows, receiver.received.length]).toEqual([[{ state: 'succeeded' }], 1]);
});
