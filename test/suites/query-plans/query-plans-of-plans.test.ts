/**
 * Every query of plans, comments, events, the inbox and webhooks, explained on 40,000 rows a table: each is served by an
 * index and reads few rows, also for a plan with thousands of comments.
 */
import { wordQuery } from '../../../src/engines/plan-text/plan-words.ts';
import * as planFiles from '../../../src/features/architecture/reading/plan-file-store.ts';
import * as events from '../../../src/features/events/event-store.ts';
import * as deletedEvents from '../../../src/features/inbox/delete-events-store.ts';
import * as inbox from '../../../src/features/inbox/inbox-store.ts';
import * as people from '../../../src/features/inbox/people-store.ts';
import * as mails from '../../../src/features/mail/mail-store.ts';
import * as plannerEvents from '../../../src/features/planner-events/planner-event-store.ts';
import * as comments from '../../../src/features/plans/store/comment-store.ts';
import * as lists from '../../../src/features/plans/store/plan-list-store.ts';
import * as planRepositories from '../../../src/features/plans/store/plan-repository-store.ts';
import * as plans from '../../../src/features/plans/store/plan-store.ts';
import * as pullRequests from '../../../src/features/plans/store/pull-request-store.ts';
import * as reviews from '../../../src/features/plans/store/review-store.ts';
import * as timeline from '../../../src/features/pull-requests/store/timeline-store.ts';
import { countFailingWebhooks } from '../../../src/features/system/organization-check-store.ts';
import * as deliveries from '../../../src/features/webhooks/delivery-store.ts';
import * as webhooks from '../../../src/features/webhooks/webhook-store.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import { type Queries, testCoverage, testQueries } from '../../helpers/database/check-query-plans.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';
import { fillPlans } from '../../helpers/database/fill-plans.ts';

const MAX_ROWS_READ = 1500;

const NOW = new Date('2026-11-15T12:00:00.000Z');
const id = uuidv7();

const connection = await createTestDatabase();
const some = await fillPlans(connection, NOW);

const { busyPlan, known, organizationId, organizationOfWebhook, plan, unlisted, user, webhook } = some;
const place = { planId: plan, organizationId };
const reader = { organizationId, userId: user, role: 'viewer' as const };
const admin = { ...reader, role: 'admin' as const };
const source = {
  subjectKind: 'plan' as const,
  subjectId: plan,
  organizationId,
  actorKind: 'key' as const,
  actorUserId: user,
  actorCredentialId: user,
  at: NOW,
};
const comment = {
  id,
  organizationId,
  seriesId: busyPlan,
  versionId: busyPlan,
  parentId: null,
  authorId: user,
  authorKind: 'key' as const,
  credentialId: user,
  body: 'x',
  anchor: null,
  at: NOW,
};
const claimed = {
  id: plan,
  organization_id: organizationId,
  webhook_id: webhook,
  sealed_url: null,
  payload: '{}',
  attempts: 1,
  url: 'x',
  secret: null,
  sealed_secret: null,
  wanted: true,
};

/** Store by store, every function of it. */
const QUERIES: Queries = {
  'plan-store': {
    insertPlan: (db) =>
      plans.insertPlan(db, {
        id,
        organizationId,
        seriesId: id,
        title: 'x',
        agentVendor: 'codex',
        userId: user,
        at: NOW,
      }),
    lockIdlePlans: (db) => plans.lockIdlePlans(db, [plan, busyPlan]).execute(),
    lockPlan: (db) => plans.lockPlan(db, organizationId, plan),
    lockPlanById: (db) => plans.lockPlanById(db, plan),
    selectPlan: (db) => plans.selectPlan(db, organizationId, plan),
    updatePlan: (db) =>
      plans.updatePlan(
        db,
        { id: plan, organization_id: organizationId },
        { status: 'approved', last_event: '7', updated_at: NOW },
      ),
    insertVersion: (db) =>
      plans.insertVersion(db, {
        id,
        ...place,
        version: 2,
        title: 'x',
        content: 'x',
        unchanged: false,
        authorId: user,
        authorKind: 'key',
        agentVendor: 'codex',
        modelId: null,
        tokens: undefined,
        at: NOW,
      }),
    claimUncomparedVersion: (db) => plans.claimUncomparedVersion(db),
    markVersionCompared: (db) => plans.markVersionCompared(db, plan, NOW),
    hasContent: (db) => plans.hasContent(db, plan, 'Content'),
    selectVersions: (db) => plans.selectVersions(db, plan, 500),
    selectVersion: (db) => plans.selectVersion(db, plan, 1),
    selectContents: (db) => plans.selectContents(db, plan, [plan]),
    selectCurrentPlan: (db) => plans.selectCurrentPlan(db, organizationId, plan),
  },
  'plan-list-store': {
    selectPlans: async (db) => {
      const before = { at: new Date(NOW.getTime() - 30 * 24 * 3600 * 1000), id };
      const filters = [
        {},
        { before },
        { status: 'approved' as const },
        { status: 'closed' as const, before },
        { review: 'awaiting_review' as const },
        { review: 'changes_requested' as const },
        { review: 'changes_requested' as const, before, authorId: user },
        { review: 'needs_my_review' as const },
        { authorId: user },
        { agentVendor: 'codex' },
        { agentVendor: 'codex', status: 'pending' as const, before },
        { repository: 'acme/r7' },
        { repository: 'r7', status: 'approved' as const },
        { words: wordQuery('word123') },
        { words: wordQuery('word123'), status: 'approved' as const },
      ];
      for (const filter of filters) await lists.selectPlans(db, reader, { ...filter, limit: 51 });
    },
    selectNewestWithWords: (db) =>
      lists.selectNewestWithWords(db, reader, { words: wordQuery('plan')!, limit: 51 }, 255),
    selectRequestedReviews: (db) => lists.selectRequestedReviews(db, reader, [plan, busyPlan]),
    countPlansInReview: (db) => lists.countPlansInReview(db, reader),
    selectPlansById: (db) => lists.selectPlansById(db, organizationId, [plan, busyPlan]),
  },
  'plan-repository-store': {
    insertVersionRepositories: (db) =>
      planRepositories.insertVersionRepositories(db, place, unlisted, [
        { repository_id: null, name: 'x', head_commit: null, was_private: false },
      ]),
    selectVersionRepositories: (db) => planRepositories.selectVersionRepositories(db, reader, plan),
    selectRepositoriesThenAndNow: async (db) => {
      for (const each of [reader, admin]) await planRepositories.selectRepositoriesThenAndNow(db, each, plan);
    },
    linkNamedVersions: (db) =>
      planRepositories.linkNamedVersions(db, { id: known, organizationId, headCommit: 'c'.repeat(40) }),
    selectRepositoriesOfPlans: (db) =>
      planRepositories.selectRepositoriesOfPlans(db, reader, [plan, busyPlan]),
    replaceFiles: (db) => planRepositories.replaceFiles(db, place, ['a', 'b']),
    replaceWords: (db) => planRepositories.replaceWords(db, place, [['a', 'b']]),
    selectOverlaps: (db) =>
      planRepositories.selectOverlaps(
        db,
        reader,
        { id: plan, organizationId, versionId: plan },
        { plans: 20, files: 100 },
      ),
  },
  'event-store': {
    insertEvents: (db) =>
      events.insertEvents(db, source, [{ number: 200_001, kind: 'comment_added', data: {} }]),
    selectEventsAfter: (db) => events.selectEventsAfter(db, busyPlan, 5000, 200),
    selectEventsBefore: async (db) => {
      await events.selectEventsBefore(db, busyPlan, undefined, 51);
      await events.selectEventsBefore(db, busyPlan, 5000, 51);
    },
  },
  'timeline-store': {
    selectTimeline: (db) => timeline.selectTimeline(db, busyPlan, 40_000, ['pull_request_pushed']),
  },
  'comment-store': {
    insertComments: async (db) => {
      await comments.insertComments(db, [comment, { ...comment, id: uuidv7() }]);
      await comments.insertComments(db, [{ ...comment, id: uuidv7(), parentId: busyPlan }]);
    },
    explainRefusedComment: (db) => comments.explainRefusedComment(db, { ...comment, parentId: id }),
    selectComments: async (db) => {
      await comments.selectComments(db, busyPlan, { limit: 51 });
      await comments.selectComments(db, busyPlan, { limit: 51, after: { at: NOW, id } });
      await comments.selectComments(db, busyPlan, { limit: 51, inThreadOf: id });
      await comments.selectComments(db, busyPlan, {
        limit: 51,
        after: { at: new Date(NOW.getTime() - 50_000_000), id },
      });
    },
    selectComment: (db) => comments.selectComment(db, plan, plan),
    selectReply: (db) => comments.selectReply(db, busyPlan, { ...comment, parentId: id }),
    selectCommentsById: (db) => comments.selectCommentsById(db, busyPlan, [id, plan]),
    updateComment: (db) => comments.updateComment(db, plan, plan, { body: 'y', edited_at: NOW }),
    selectMutedThreads: (db) => comments.selectMutedThreads(db, plan, user),
    isThread: (db) => comments.isThread(db, plan, plan),
    insertMute: (db) => comments.insertMute(db, { userId: user, threadId: plan, ...place, at: NOW }),
    deleteMute: (db) => comments.deleteMute(db, user, plan),
    selectUnaddressedComments: async (db) => {
      const madeBefore = { version: 2, created_at: NOW };
      await comments.selectUnaddressedComments(db, busyPlan, { madeBefore, limit: 200 });
      await comments.selectUnaddressedComments(db, busyPlan, { madeBefore, afterId: busyPlan, limit: 200 });
    },
    markCommentsAddressed: (db) =>
      comments.markCommentsAddressed(db, plan, plan, [{ id: plan, old: 'a', new: 'b' }]),
  },
  'review-store': {
    insertReview: (db) =>
      reviews.insertReview(db, {
        id,
        ...place,
        versionId: plan,
        userId: user,
        verdict: 'approved',
        note: null,
        at: NOW,
      }),
    selectReviews: (db) => reviews.selectReviews(db, plan, 200),
    selectApprovers: (db) => reviews.selectApprovers(db, plan, 1),
    wroteContent: (db) => reviews.wroteContent(db, plan, 1, user),
    withdrawApprovals: async (db) => {
      await reviews.withdrawApprovals(db, plan, NOW, user);
      await reviews.withdrawApprovals(db, plan, NOW);
    },
    selectReviewRequests: (db) => reviews.selectReviewRequests(db, plan),
    upsertReviewRequests: (db) =>
      reviews.upsertReviewRequests(db, { ...place, userIds: [user], requestedBy: user, at: NOW }),
    requestReviewsAgain: (db) => reviews.requestReviewsAgain(db, { id: plan, content_since: 1 }, known, NOW),
    deleteReviewRequest: (db) => reviews.deleteReviewRequest(db, plan, user),
  },
  'pull-request-store': {
    insertPullRequestLink: (db) =>
      pullRequests.insertPullRequestLink(db, {
        id,
        ...place,
        repositoryId: null,
        repositoryName: 'x',
        number: 7,
        userId: user,
        at: NOW,
      }),
    selectPullRequests: async (db) => {
      for (const role of ['viewer', 'admin'] as const) {
        await pullRequests.selectPullRequests(db, { organizationId, userId: user, role }, plan);
      }
    },
    selectApprovedPlansOf: (db) =>
      pullRequests.selectApprovedPlansOf(db, { organizationId, repositoryId: known, number: 7 }),
    isPullRequest: (db) => pullRequests.isPullRequest(db, known, 4711),
    selectNearNumbers: (db) => pullRequests.selectNearNumbers(db, known, 4711, 4),
    countKnownPullRequests: (db) => pullRequests.countKnownPullRequests(db, plan),
  },
  'planner-event-store': {
    insertPlannerEvent: (db) =>
      plannerEvents.insertPlannerEvent(db, {
        id,
        organizationId,
        sessionId: plan,
        userId: user,
        eventType: 'x',
        repository: null,
        agentVendor: null,
        payload: null,
        at: NOW,
      }),
    selectPlannerSession: (db) => plannerEvents.selectPlannerSession(db, reader, plan),
    selectTellingPayloads: (db) => plannerEvents.selectTellingPayloads(db, organizationId, plan),
    deleteOldPlannerSessions: (db) => plannerEvents.deleteOldPlannerSessions(db, new Date('2020-01-01')),
  },
  'inbox-store': {
    deleteCommentItems: (db) => inbox.deleteCommentItems(db, [{ subjectId: id, commentId: id }]),
    markSettledRead: (db) =>
      inbox.markSettledRead(db, [{ subjectId: id, number: '9', at: NOW, isOver: true }]),
    replaceRequests: (db) =>
      inbox.replaceRequests(db, [
        {
          ...{ id, organizationId, userId: user, subjectKind: 'pull_request', subjectId: busyPlan },
          ...{ eventNumber: '20', kind: 'review_requested', at: NOW },
        },
      ]),
    insertInboxItems: (db) =>
      inbox.insertInboxItems(db, [
        {
          id,
          organizationId,
          userId: user,
          subjectKind: 'plan',
          subjectId: busyPlan,
          eventNumber: '20',
          kind: 'comment',
          at: NOW,
        },
      ]),
    selectInbox: async (db) => {
      for (const page of [{}, { unread: true }, { beforeId: id }, { unread: true, beforeId: id }])
        await inbox.selectInbox(db, reader, { ...page, limit: 51 } as never);
    },
    countUnread: (db) => inbox.countUnread(db, reader),
    markItemsRead: (db) => inbox.markItemsRead(db, reader, [id, plan], NOW),
    markPullRequestRead: (db) => inbox.markPullRequestRead(db, reader, plan, NOW),
    markPlanRead: (db) => inbox.markPlanRead(db, reader, plan, NOW),
  },
  'plan-file-store': {
    selectFilesOfPlan: (db) => planFiles.selectFilesOfPlan(db, organizationId, busyPlan),
  },
  'people-store': {
    selectPlanCreators: (db) => people.selectPlanCreators(db, [plan, busyPlan]),
    selectVersionAuthors: (db) => people.selectVersionAuthors(db, [plan, busyPlan]),
    selectThreads: (db) => people.selectThreads(db, [plan, busyPlan]),
    selectReviewers: (db) => people.selectReviewers(db, [plan]),
    selectAdmins: (db) => people.selectAdmins(db, [organizationId]),
  },
  'mail-store': {
    selectFrequencies: (db) => mails.selectFrequencies(db, { organizationId, userId: user }),
    saveFrequencies: (db) =>
      mails.saveFrequencies(db, { organizationId, userId: user }, { comments: 'off' }, NOW),
    selectItemsOfEvents: (db) => mails.selectItemsOfEvents(db, [{ subjectId: plan, number: '1' }]),
    selectItemsToMail: (db) => mails.selectItemsToMail(db, [plan, id]),
    insertMails: (db) => mails.insertMails(db, [{ id: uuidv7(), organizationId, userId: user }], NOW),
    addToDigest: (db) =>
      mails.addToDigest(db, { id: uuidv7(), organizationId, userId: user, itemIds: [plan], dueAt: NOW }, NOW),
    claimMail: async (db) => void (await mails.claimMail(db, new Date())),
    abandonInterrupted: (db) => mails.abandonInterrupted(db, NOW),
    finishMail: (db) =>
      mails.finishMail(
        db,
        {
          id: plan,
          organization_id: organizationId,
          user_id: user,
          digest: false,
          item_ids: [],
          attempts: 1,
        },
        { state: 'sent' },
      ),
    selectRecipient: (db) => mails.selectRecipient(db, { organizationId, userId: user }),
    deleteOldMails: (db) => mails.deleteOldMails(db, new Date('2020-01-01')),
  },
  'webhook-store': {
    lockWebhooks: (db) => webhooks.lockWebhooks(db, organizationId),
    countWebhooks: (db) => webhooks.countWebhooks(db, organizationId),
    insertWebhook: (db) =>
      webhooks.insertWebhook(db, {
        id,
        organizationId,
        url: 'x',
        sealedUrl: null,
        format: 'json',
        repositoryId: null,
        sealedSecret: Buffer.alloc(1),
        eventKinds: [],
        enabled: true,
        createdBy: user,
        at: NOW,
      }),
    selectWebhooks: (db) => webhooks.selectWebhooks(db, organizationOfWebhook),
    selectWebhook: (db) => webhooks.selectWebhook(db, organizationOfWebhook, webhook),
    lockWebhook: (db) => webhooks.lockWebhook(db, organizationOfWebhook, webhook),
    updateWebhook: (db) =>
      webhooks.updateWebhook(db, organizationOfWebhook, webhook, {
        enabled: false,
        updated_at: NOW,
      } as never),
    lockPlainSecrets: (db) => webhooks.lockPlainSecrets(db, 100),
    updateSecret: (db) => webhooks.updateSecret(db, webhook, Buffer.alloc(1)),
    isRepository: (db) => webhooks.isRepository(db, organizationId, plan),
    selectEnabledWebhooks: (db) => webhooks.selectEnabledWebhooks(db, [organizationOfWebhook]),
  },
  'delivery-store': {
    insertDeliveries: (db) =>
      deliveries.insertDeliveries(
        db,
        [{ id, organizationId, webhookId: webhook, eventKind: 'x', payload: '{}' }],
        NOW,
      ),
    selectDeliveries: async (db) => {
      for (const page of [{}, { state: 'failed' }, { state: 'succeeded', beforeId: id }, { beforeId: id }])
        await deliveries.selectDeliveries(db, organizationOfWebhook, {
          webhookId: webhook,
          limit: 51,
          ...page,
        } as never);
    },
    selectDelivery: (db) => deliveries.selectDelivery(db, organizationOfWebhook, webhook, plan),
    renewDelivery: (db) => deliveries.renewDelivery(db, organizationId, plan),
    cancelDeliveries: (db) => deliveries.cancelDeliveries(db, organizationOfWebhook, webhook, 'x'),
    lockUnqueued: (db) => deliveries.lockUnqueued(db, 100),
    markQueued: (db) => deliveries.markQueued(db, [plan]),
    requeueStranded: (db) => deliveries.requeueStranded(db),
    claimDelivery: (db) => deliveries.claimDelivery(db, plan),
    selectHeld: (db) => deliveries.selectHeld(db, plan),
    releaseDelivery: (db) => deliveries.releaseDelivery(db, claimed),
    recordAttempt: (db) =>
      deliveries.recordAttempt(db, claimed, {
        at: NOW,
        state: 'succeeded',
        responseStatus: 200,
        note: null,
        durationMs: 1,
        retryDelayMs: undefined,
      }),
    deleteOldDeliveries: (db) => deliveries.deleteOldDeliveries(db, new Date('2020-01-01')),
  },
  'delete-events-store': {
    deleteOldEvents: (db) => deletedEvents.deleteOldEvents(db, new Date('2020-01-01')),
    forgetSubject: (db) => deletedEvents.forgetSubject(db, organizationId, plan),
  },
};

/** They change all rows of one person, or count the deliveries of a day, which no page size limits. */
const UNBOUNDED = ['markAllRead', 'markUnread', 'countFailingWebhooks'];

/** The outbox has only subjects with events that were not handled yet, and there are no teams here. */
const SCANS = {
  deleteOldEvents: ['event_outbox'],
  forgetSubject: ['event_outbox'],
  selectTimeline: ['teams'],
};

testQueries(connection, QUERIES, { maxRowsRead: MAX_ROWS_READ, scans: SCANS });

const STORES = [
  ...[plans, planFiles, lists, planRepositories, events, comments, reviews, pullRequests],
  ...[plannerEvents, inbox, people, mails, webhooks, deliveries],
  { ...deletedEvents, ...timeline, countFailingWebhooks },
];
/** Parts of other queries. */
const PARTS = [
  'isApproved',
  'oldEvents',
  'deleteEvents',
  'insertEventRows',
  'insertOutboxRows',
  'removeFromOutbox',
  'deleteEventsOf',
];
testCoverage(QUERIES, STORES, [...UNBOUNDED, ...PARTS]);
