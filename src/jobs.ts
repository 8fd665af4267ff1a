/** All background work: timed jobs, jobs that run on changes, and queued jobs. */

import { deleteExpiredSessions, deleteOldAttempts } from './features/accounts/index.ts';
import { DESCRIBE_REPOSITORY, describeRepository, queueDescriptions } from './features/architecture/index.ts';
import {
  CHECK_HOST,
  checkHost,
  deleteOldRedirects,
  lockIdleCodeHosts,
  queueHostChecks,
  queueSyncs,
  SYNC_PULL_REQUEST,
  SYNC_REPOSITORY,
  type SyncServices,
  syncPullRequest,
  syncRepository,
} from './features/code-hosts/index.ts';
import { JUDGE_PULL_REQUEST, judgePullRequest, queueJudgements } from './features/discussions/index.ts';
import { createEventOutbox } from './features/events/index.ts';
import { notifyPeople } from './features/inbox/index.ts';
import { deleteOldMails, mailMaker, sendDueMails } from './features/mail/index.ts';
import { type NodeCode, queueRefreshes, REFRESH_REPOSITORY } from './features/mirrors/index.ts';
import { deleteOldRecords } from './features/oauth/index.ts';
import { lockIdlePlans, markAddressedComments } from './features/plans/index.ts';
import {
  deleteOldAuditEvents,
  deleteOldEvents,
  deleteOldPlannerSessions,
  maskStoredTexts,
} from './features/privacy/index.ts';
import { createPlainGitFollower, lockIdlePullRequests } from './features/pull-requests/index.ts';
import { queueTrials, RUN_REVIEW_TRIAL, runTrial } from './features/review-trials/index.ts';
import { queueReviews, REVIEW_PULL_REQUEST, reviewPullRequest } from './features/reviews/index.ts';
import {
  applyEnvironment,
  createIdentityProviders,
  deleteOldSignIns,
  type EnvironmentSingleSignOn,
  recheckIdentities,
} from './features/single-sign-on/index.ts';
import {
  DELIVER_WEBHOOK,
  deleteOldDeliveries,
  deliverWebhook,
  deliveryMaker,
  queueDeliveries,
  requeueStranded,
} from './features/webhooks/index.ts';
import {
  type BackupSchedule,
  MAKE_BACKUP,
  makeScheduledBackup,
  queueBackup,
} from './platform/backup/index.ts';
import type { ChangeFeed } from './platform/core/ports/change-feed.ts';
import type { MailServer } from './platform/core/ports/mail-server.ts';
import type { ConfiguredModels } from './platform/core/ports/model-endpoint.ts';
import { DEFAULT_RETENTION, keptSince, type Retention } from './platform/core/ports/retention.ts';
import type { SecretBox } from './platform/core/ports/secret-box.ts';
import type { Log } from './platform/core/telemetry/log.ts';
import type { Clock } from './platform/core/text/clock.ts';
import type { Connection, Db } from './platform/db/index.ts';
import { deleteOldReplies } from './platform/idempotency/index.ts';
import type { Queue, QueuedJob } from './platform/queue/index.ts';

/** A recurring job. It runs on every node that has it, so it must be safe to run on several at once. */
export interface TimedJob {
  name: string;
  everyMs: number;
  /** Whether it also runs shortly after a change on any node. */
  onChange?: boolean;
  run(db: Db, now: Date): Promise<unknown>;
}

export interface JobServices {
  connection: Connection;
  db: Db;
  clock: Clock;
  log: Log;
  queue: Queue;
  feed: ChangeFeed;
  mirrors: Pick<NodeCode, 'code' | 'refresh'>;
  secrets: SecretBox;
  codeHosts: SyncServices['codeHosts'];
  /** Without a trailing slash. */
  baseUrl(): string;
  allowPrivateAddresses: boolean;
  /** Configured in the environment. */
  models: ConfiguredModels | undefined;
  /** Single sign-on set by environment variables. */
  singleSignOn?: EnvironmentSingleSignOn | undefined;
  /** Without it, no mail is sent. */
  mail?: MailServer | undefined;
  /** Default: that of the settings. */
  retention?: Retention;
  /** Without it, this node makes no backups. */
  backups?: BackupSchedule;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const SECONDS_PER_HOUR = 3600;
/** A clone uses a CPU core and much of the network and disk. */
const MAX_CLONES_AT_ONCE = 4;
/** Remotes that never respond must not block other organizations. */
const MAX_CLONES_PER_ORGANIZATION = MAX_CLONES_AT_ONCE / 2;

/** Jobs that every node runs for its own files, whatever its roles. */
export function createNodeJobs(mirrors: Pick<NodeCode, 'sweep'>): TimedJob[] {
  return [{ name: 'delete-gone-mirrors', everyMs: HOUR_MS, run: () => mirrors.sweep() }];
}

/** Deletes what is older than the given number of days; nothing if that is 0. */
function deleteOld(what: string, days: number, run: (db: Db, before: Date) => Promise<void>): TimedJob {
  return {
    name: `delete-old-${what}`,
    everyMs: HOUR_MS,
    async run(db, now) {
      const before = keptSince(now, days);
      if (before) await run(db, before);
    },
  };
}

export function createJobs(services: JobServices): { timed: TimedJob[]; queued: QueuedJob[] } {
  const { backups, clock, feed, log, mail, mirrors, queue, retention = DEFAULT_RETENTION } = services;
  const outbox = createEventOutbox({
    handlers: [notifyPeople, ...(mail ? [mailMaker] : []), deliveryMaker(services.baseUrl)],
    lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
    announce: (subjectId) => feed.announce(subjectId),
    log,
  });
  const plainGit = createPlainGitFollower({
    code: mirrors.code,
    announce: (topic) => feed.announce(topic),
    log,
  });
  const { allowPrivateAddresses, secrets, singleSignOn } = services;
  const checking = {
    secrets,
    log,
    identityProviders: createIdentityProviders(),
    settings: { allowPrivateAddresses, singleSignOn },
  };
  const syncing = {
    ...services,
    code: mirrors.code,
    now: () => clock.now(),
    announce: (topic: string) => feed.announce(topic),
  };
  return {
    timed: [
      { name: 'delete-expired-sessions', everyMs: HOUR_MS, run: deleteExpiredSessions },
      { name: 'delete-old-oauth-records', everyMs: HOUR_MS, run: deleteOldRecords },
      { name: 'delete-old-sign-in-attempts', everyMs: HOUR_MS, run: deleteOldAttempts },
      { name: 'delete-old-idempotent-replies', everyMs: HOUR_MS, run: deleteOldReplies },
      deleteOld('webhook-deliveries', retention.webhookDeliveries, deleteOldDeliveries),
      deleteOld('mails', retention.mails, deleteOldMails),
      deleteOld('events', retention.events, deleteOldEvents),
      deleteOld('planner-sessions', retention.plannerSessions, deleteOldPlannerSessions),
      deleteOld('audit-events', retention.auditEvents, deleteOldAuditEvents),
      { name: 'mask-stored-texts', everyMs: 10 * SECOND_MS, run: maskStoredTexts },
      { name: 'delete-old-code-host-redirects', everyMs: HOUR_MS, run: deleteOldRedirects },
      { name: 'delete-old-single-sign-ons', everyMs: HOUR_MS, run: deleteOldSignIns },
      {
        name: 'recheck-single-sign-on',
        everyMs: MINUTE_MS,
        run: (db, now) => recheckIdentities({ db, ...checking }, now),
      },
      {
        name: 'apply-single-sign-on-settings',
        everyMs: MINUTE_MS,
        run: async (db, now) => singleSignOn && applyEnvironment({ db, secrets }, singleSignOn, now),
      },
      ...(backups
        ? [
            {
              name: 'queue-backup',
              everyMs: 60 * SECOND_MS,
              run: (db: Db) => queueBackup(db, queue, backups),
            },
          ]
        : []),
      { name: 'requeue-stranded-deliveries', everyMs: HOUR_MS / 4, run: requeueStranded },
      {
        name: 'handle-events',
        everyMs: 5 * SECOND_MS,
        onChange: true,
        async run(db, now) {
          await outbox.run(db, now);
          await queueDeliveries(db, queue);
        },
      },
      ...(mail
        ? [
            {
              name: 'send-mails',
              everyMs: 10 * SECOND_MS,
              onChange: true,
              run: (db: Db, now: Date) => sendDueMails({ ...services, db, mail }, now),
            },
          ]
        : []),
      {
        name: 'mark-addressed-comments',
        everyMs: 5 * SECOND_MS,
        onChange: true,
        run: (db, now) =>
          markAddressedComments(db, now, { announce: (planId) => feed.announce(planId), log }),
      },
      {
        name: 'follow-plain-git',
        everyMs: 10 * SECOND_MS,
        onChange: true,
        run: (db, now) => plainGit.run(db, now),
      },
      {
        name: 'queue-judgements',
        everyMs: 10 * SECOND_MS,
        onChange: true,
        run: (db) => queueJudgements(db, queue),
      },
      {
        name: 'queue-due-reviews',
        everyMs: 5 * SECOND_MS,
        onChange: true,
        run: (db) => queueReviews(db, queue),
      },
      {
        name: 'queue-review-trials',
        everyMs: 5 * SECOND_MS,
        onChange: true,
        run: (db) => queueTrials(db, queue),
      },
      {
        name: 'queue-descriptions',
        everyMs: 10 * SECOND_MS,
        onChange: true,
        run: (db) => queueDescriptions(db, queue),
      },
      {
        name: 'queue-due-refreshes',
        everyMs: 10 * SECOND_MS,
        onChange: true,
        run: (db) => queueRefreshes(db, queue),
      },
      {
        name: 'queue-code-host-checks',
        everyMs: 10 * SECOND_MS,
        onChange: true,
        run: (db) => queueHostChecks(db, queue),
      },
      {
        name: 'queue-due-syncs',
        everyMs: 10 * SECOND_MS,
        onChange: true,
        run: (db) => queueSyncs(db, queue),
      },
    ],
    queued: [
      ...(backups
        ? [
            {
              name: MAKE_BACKUP,
              maxSeconds: 6 * SECONDS_PER_HOUR,
              maxAtOnce: 1,
              handle: (_: unknown, signal: AbortSignal) => makeScheduledBackup(services, backups, signal),
            },
          ]
        : []),
      {
        name: DELIVER_WEBHOOK,
        maxSeconds: 60,
        handle: ({ deliveryId }, signal) =>
          deliverWebhook({ ...services, now: () => clock.now() }, deliveryId!, signal),
      },
      {
        name: JUDGE_PULL_REQUEST,
        maxSeconds: 600,
        maxAtOnce: 2,
        maxPerGroup: 1,
        handle: ({ organizationId, pullRequestId }, signal) =>
          judgePullRequest(
            {
              ...services,
              code: mirrors.code,
              announce: (topic) => feed.announce(topic),
              now: () => clock.now(),
            },
            { organizationId: organizationId!, pullRequestId: pullRequestId! },
            signal,
          ),
      },
      {
        name: REVIEW_PULL_REQUEST,
        // Less than the time after which a review counts as lost.
        maxSeconds: 14 * 60,
        maxAtOnce: 2,
        maxPerGroup: 1,
        handle: ({ organizationId, pullRequestId }, signal) =>
          reviewPullRequest(
            {
              ...services,
              code: mirrors.code,
              announce: (topic) => feed.announce(topic),
              now: () => clock.now(),
            },
            { organizationId: organizationId!, pullRequestId: pullRequestId! },
            signal,
          ),
      },
      {
        name: RUN_REVIEW_TRIAL,
        maxSeconds: SECONDS_PER_HOUR,
        maxAtOnce: 1,
        maxPerGroup: 1,
        handle: ({ organizationId, trialId }, signal) =>
          runTrial(
            { ...services, code: mirrors.code, now: () => clock.now() },
            { organizationId: organizationId!, trialId: trialId! },
            signal,
          ),
      },
      {
        name: DESCRIBE_REPOSITORY,
        maxSeconds: SECONDS_PER_HOUR,
        maxAtOnce: 1,
        maxPerGroup: 1,
        handle: ({ repositoryId }, signal) =>
          describeRepository(
            {
              ...services,
              code: mirrors.code,
              announce: (topic) => feed.announce(topic),
              now: () => clock.now(),
            },
            repositoryId!,
            signal,
          ),
      },
      {
        name: SYNC_PULL_REQUEST,
        maxSeconds: 15 * 60,
        async handle({ number, repositoryId }, signal) {
          await syncPullRequest(syncing, { repositoryId: repositoryId!, number: Number(number) }, signal);
        },
      },
      {
        name: SYNC_REPOSITORY,
        maxSeconds: 60 * 60,
        async handle({ repositoryId }, signal) {
          await syncRepository(syncing, repositoryId!, signal);
        },
      },
      {
        name: REFRESH_REPOSITORY,
        maxSeconds: 6 * SECONDS_PER_HOUR,
        maxAtOnce: MAX_CLONES_AT_ONCE,
        maxPerGroup: MAX_CLONES_PER_ORGANIZATION,
        async handle({ repositoryId }, signal) {
          await mirrors.refresh(repositoryId!, { onlyWhenDue: true, signal });
        },
      },
      {
        name: CHECK_HOST,
        maxSeconds: SECONDS_PER_HOUR,
        handle: ({ codeHostId }, signal) =>
          checkHost(
            {
              ...services,
              now: () => clock.now(),
              announce: (topic) => feed.announce(topic),
            },
            codeHostId!,
            signal,
          ),
      },
    ],
  };
}
