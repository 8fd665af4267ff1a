/** The service with two organizations that each have one repository, cloned, indexed and described: the bare one in CORPUS. */
import { setTimeout } from 'node:timers/promises';
import { createOrganization } from '../../src/features/accounts/index.ts';
import { insertSession } from '../../src/features/accounts/store/session-store.ts';
import { operatorOf } from '../../src/features/audit/index.ts';
import { operations } from '../../src/operations.ts';
import { hashOf, newToken } from '../../src/platform/core/text/secret-token.ts';
import { uuidv7 } from '../../src/platform/core/text/uuid.ts';
import { indexCorpus } from './index-corpus.ts';
import { startService } from './start-service.ts';

const service = await startService(operations);
const { db } = service;
const at = new Date();
const other = await createOrganization(
  db,
  { organizationName: 'Other', name: 'Other', email: 'other@example.com', passwordHash: '-' },
  (organizationId) => operatorOf(organizationId, at),
  at,
);

const sessions: string[] = [];
for (const owner of [service.owner, other]) {
  const { organizationId } = owner;
  await indexCorpus(service, { name: 'bench/corpus', url: process.env.CORPUS!, organizationId });
  const token = newToken();
  sessions.push(token);
  await insertSession(db, {
    id: uuidv7(),
    tokenHash: hashOf(token),
    ...owner,
    userAgent: null,
    address: '127.0.0.1',
    at,
    expiresAt: new Date(at.getTime() + 86_400_000),
  });
}
// Work that follows a fetch must not run beside the measurement.
for (;;) {
  const busy = await db
    .selectFrom('repositories')
    .select('id')
    .where((where) =>
      where.or([
        where('activity', 'is not', null),
        where('described_head', 'is', null),
        where('described_head', '<>', where.ref('head_commit')),
      ]),
    )
    .execute();
  if (busy.length === 0) break;
  await setTimeout(500);
}
// The processes that indexed the repositories exit when they have been idle for a minute.
await setTimeout(65_000);
service.announce({ sessions: sessions.join(), processId: String(process.pid) });
