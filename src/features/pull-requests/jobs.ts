/** Background work of pull requests. */
import { z } from 'zod';
import { uuid } from '../../platform/core/operations/shapes.ts';
import { SECOND_MS } from '../../platform/core/text/durations.ts';
import { defineJob, type TimedJob } from '../../platform/queue/index.ts';
import { type KeepServices, keepApprovals } from './kept-approvals/keep-approvals.ts';
import { mergeWhenReady } from './merge-when-ready/merge-when-ready.ts';
import { checkMergeability } from './mergeability/check-mergeability.ts';
import { claimUncheckedMerges } from './mergeability/mergeability-store.ts';
import { type RecoverServices, recoverMerges } from './merging/recover-merges.ts';
import { readOwnersOfPullRequests } from './owners/read-owners.ts';
import { claimUnreadOwners } from './ownership/owners-store.ts';
import type { PlainGitFollower } from './plain-git/follow-plain-git.ts';
import { claimWaitingMerges } from './store/waiting-merge-store.ts';

const followJob: TimedJob<{ plainGit: PlainGitFollower }> = {
  name: 'follow-plain-git',
  everyMs: 10 * SECOND_MS,
  onChange: true,
  run: (db, now, { plainGit }) => plainGit.run(db, now),
};

/** Once for each repository in which heads or bases moved. */
const mergeabilityJob = defineJob({
  name: 'check-mergeability',
  payload: z.object({ organizationId: uuid(), repositoryId: uuid() }),
  maxSeconds: 900,
  maxAtOnce: 2,
  maxPerGroup: 1,
  due: {
    schedule: { name: 'queue-mergeability', everyMs: 10 * SECOND_MS, onChange: true },
    claim: claimUncheckedMerges,
    request: (repository) => ({ data: repository, group: repository.repositoryId }),
  },
  run: checkMergeability,
});

/** Once for each repository in which heads or bases moved. */
const ownersJob = defineJob({
  name: 'read-owners',
  payload: z.object({ organizationId: uuid(), repositoryId: uuid() }),
  maxSeconds: 900,
  maxAtOnce: 2,
  maxPerGroup: 1,
  due: {
    schedule: { name: 'queue-owners', everyMs: 10 * SECOND_MS, onChange: true },
    claim: claimUnreadOwners,
    request: (repository) => ({ data: repository, group: repository.repositoryId }),
  },
  run: readOwnersOfPullRequests,
});

/** Merges whose process was killed between the push and its record. */
const recoverMergesJob: TimedJob<RecoverServices> = {
  name: 'recover-merges',
  everyMs: 10 * SECOND_MS,
  run: (_db, _now, services) => recoverMerges(services),
};

const whenReadyJob = defineJob({
  name: 'merge-when-ready',
  payload: z.object({ organizationId: uuid(), pullRequestId: uuid() }),
  maxSeconds: 300,
  maxAtOnce: 2,
  // A merge moves the base of the others in the repository.
  maxPerGroup: 1,
  due: {
    schedule: { name: 'queue-merges-when-ready', everyMs: 10 * SECOND_MS, onChange: true },
    claim: claimWaitingMerges,
    request: ({ organizationId, pullRequestId, repositoryId }) => ({
      data: { organizationId, pullRequestId },
      group: repositoryId,
    }),
  },
  run: mergeWhenReady,
});

const keepApprovalsJob: TimedJob<KeepServices> = {
  name: 'keep-approvals',
  everyMs: 10 * SECOND_MS,
  onChange: true,
  run: keepApprovals,
};

export const pullRequestJobs = [
  followJob,
  mergeabilityJob,
  ownersJob,
  recoverMergesJob,
  whenReadyJob,
  keepApprovalsJob,
];
