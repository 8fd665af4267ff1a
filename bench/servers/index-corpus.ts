/** Adds a repository to a service, cloned and indexed. */
import { operatorOf } from '../../src/features/audit/index.ts';
import { createRepository } from '../../src/features/repositories/index.ts';
import type { BenchService } from './start-service.ts';

export async function indexCorpus(
  { db, mirrors, secrets }: BenchService,
  corpus: { name: string; url: string; organizationId: string },
): Promise<void> {
  const id = await createRepository(
    db,
    secrets,
    {
      name: corpus.name,
      url: corpus.url,
      credential: null,
      visibility: 'organization',
      memberIds: [],
      addedByOperator: true,
    },
    operatorOf(corpus.organizationId, new Date()),
  );
  // The service's own worker may already be refreshing it; then this call waits for it.
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
}
