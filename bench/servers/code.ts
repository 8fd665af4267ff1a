/** The service with two organizations that each have one repository, cloned and indexed: the bare one in CORPUS. */
import { createOrganization } from '../../src/features/accounts/index.ts';
import { generateApiKey } from '../../src/features/api-keys/index.ts';
import { operatorOf } from '../../src/features/audit/index.ts';
import { operations } from '../../src/operations.ts';
import { systemClock } from '../../src/platform/core/text/clock.ts';
import { indexCorpus } from './index-corpus.ts';
import { startService } from './start-service.ts';

const service = await startService(operations);
const { db } = service;
const at = systemClock.now();
const other = await createOrganization(
  db,
  { organizationName: 'Other', name: 'Other', email: 'other@example.com', passwordHash: '-' },
  (organizationId) => operatorOf(organizationId, at),
  at,
);
const { secret } = await generateApiKey(db, other, 'other', operatorOf(other.organizationId, at));
for (const { organizationId } of [service.owner, other]) {
  await indexCorpus(service, { name: 'bench/corpus', url: process.env.CORPUS!, organizationId });
}
service.announce({ otherKey: secret, memory: String(Math.round(process.memoryUsage.rss() / 1e6)) });
