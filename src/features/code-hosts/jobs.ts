/** Background work of code hosts. */
import { z } from 'zod';
import { uuid } from '../../platform/core/operations/shapes.ts';
import { HOUR_MS, SECOND_MS } from '../../platform/core/text/durations.ts';
import { defineJob, type Queue, type TimedJob } from '../../platform/queue/index.ts';
import { checkHost } from './checks/check-host.ts';
import type { HostCheckServices } from './checks/host-check.ts';
import { lockDueHosts, markHostChecksQueued } from './connections/host-check-store.ts';
import { deleteOldRedirects } from './connections/pending-redirect-store.ts';
import { refreshApprovalChecks } from './sync/refresh-approval-check.ts';
import { lockDueLists, markListsQueued } from './sync/repository-sync-store.ts';
import { type SyncServices, syncPullRequest } from './sync/sync-pull-request.ts';
import { syncRepository } from './sync/sync-repository.ts';
import { askForWaiting, lockDueSyncs, markSyncsQueued } from './sync/sync-store.ts';

const MAX_CHECKS = 100;
/** Jobs of one host that wait in the queue: what happens next must not wait behind an import. */
const MAX_QUEUED_PER_HOST = 20;

const checkHostJob = defineJob({
  name: 'check-code-host',
  payload: z.object({ codeHostId: uuid() }),
  maxSeconds: 60 * 60,
  due: {
    schedule: { name: 'queue-code-host-checks', everyMs: 10 * SECOND_MS, onChange: true },
    claim: (db) => lockDueHosts(db, MAX_CHECKS),
    mark: (db, rows) =>
      markHostChecksQueued(
        db,
        rows.map(({ id }) => id),
      ),
    request: ({ id, organization_id }) => ({ data: { codeHostId: id }, group: organization_id }),
  },
  run: (services: HostCheckServices, { codeHostId }, signal) => checkHost(services, codeHostId, signal),
});

const syncRepositoryJob = defineJob({
  name: 'sync-repository',
  payload: z.object({ repositoryId: uuid() }),
  maxSeconds: 60 * 60,
  due: {
    claim: (db) => lockDueLists(db, MAX_QUEUED_PER_HOST),
    mark: (db, rows) =>
      markListsQueued(
        db,
        rows.map(({ repositoryId }) => repositoryId),
      ),
    request: ({ codeHostId, repositoryId }) => ({ data: { repositoryId }, group: codeHostId }),
  },
  run: (services: SyncServices, { repositoryId }, signal) => syncRepository(services, repositoryId, signal),
});

const syncPullRequestJob = defineJob({
  name: 'sync-pull-request',
  payload: z.object({ repositoryId: uuid(), number: z.coerce.number<string>() }),
  maxSeconds: 15 * 60,
  due: {
    claim: (db) => lockDueSyncs(db, MAX_QUEUED_PER_HOST),
    mark: markSyncsQueued,
    request: ({ codeHostId, number, priority, repositoryId }) => ({
      data: { repositoryId, number: String(number) },
      group: codeHostId,
      priority,
    }),
  },
  run: (services: SyncServices, key, signal) => syncPullRequest(services, key, signal),
});

const queueSyncs: TimedJob<SyncServices & { queue: Queue }> = {
  name: 'queue-due-syncs',
  everyMs: 10 * SECOND_MS,
  onChange: true,
  async run(db, _now, services) {
    await refreshApprovalChecks(db);
    await askForWaiting(db);
    await syncRepositoryJob.queueDue(services);
    await syncPullRequestJob.queueDue(services);
  },
};

export const codeHostJobs = [
  { name: 'delete-old-code-host-redirects', everyMs: HOUR_MS, run: deleteOldRedirects },
  checkHostJob,
  queueSyncs,
  syncRepositoryJob,
  syncPullRequestJob,
];
