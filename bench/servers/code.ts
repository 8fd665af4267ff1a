/** The service with one repository that is cloned and indexed: the bare one whose folder is in CORPUS. */
import { operatorOf } from '../../src/audit/index.ts';
import { operations } from '../../src/operations.ts';
import { createRepository } from '../../src/repositories/index.ts';
import { startService } from './start-service.ts';

const service = await startService(operations);
const { db, mirrors, owner, secrets } = service;
const id = await createRepository(
  db,
  secrets,
  {
    name: 'bench/corpus',
    url: process.env.CORPUS!,
    credential: null,
    visibility: 'organization',
    memberIds: [],
    addedByOperator: true,
  },
  operatorOf(owner.organizationId, new Date()),
);
// The service's own worker may be at it already; then this one waits for it.
for (;;) {
  const outcome = await mirrors.refresh(id, { onlyWhenDue: false, signal: AbortSignal.timeout(3_600_000) });
  if (outcome.kind === 'refreshed') break;
  const row = await db
    .selectFrom('repositories')
    .select(['state', 'activity'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (row.state === 'ready' && row.activity === null) break;
  if (outcome.kind === 'failed') throw new Error(outcome.problem);
  await new Promise((resolve) => setTimeout(resolve, 100));
}
service.announce({ memory: String(Math.round(process.memoryUsage.rss() / 1e6)) });
