/**
 * Every query of pull requests, explained on 20,000 of them, of which one organization has half: each is served by an index
 * and reads few rows.
 */
import * as discussions from '../../../src/features/discussions/discussion-store.ts';
import * as judgements from '../../../src/features/discussions/judgement-store.ts';
import * as pending from '../../../src/features/discussions/pending/pending-store.ts';
import * as suggestions from '../../../src/features/discussions/suggestions/suggestion-store.ts';
import * as images from '../../../src/features/images/image-store.ts';
import * as mentions from '../../../src/features/inbox/mention-store.ts';
import * as people from '../../../src/features/inbox/pull-request-people-store.ts';
import * as mentionable from '../../../src/features/mentions/mentionable-store.ts';
import * as references from '../../../src/features/mentions/reference-store.ts';
import { MASKED_TABLES } from '../../../src/features/privacy/index.ts';
import * as masked from '../../../src/features/privacy/masked-table-store.ts';
import * as keptApprovals from '../../../src/features/pull-requests/kept-approvals/keep-approvals-store.ts';
import * as mergeability from '../../../src/features/pull-requests/mergeability/mergeability-store.ts';
import * as reviewSettings from '../../../src/features/pull-requests/owners/review-settings-store.ts';
import * as owners from '../../../src/features/pull-requests/ownership/owners-store.ts';
import * as plainGit from '../../../src/features/pull-requests/plain-git/plain-git-store.ts';
import * as readers from '../../../src/features/pull-requests/readers/reader-store.ts';
import { DEFAULT_TERMS } from '../../../src/features/pull-requests/rules/choose-rule.ts';
import * as mergeRules from '../../../src/features/pull-requests/rules/merge-rule-store.ts';
import * as requirements from '../../../src/features/pull-requests/rules/requirement-store.ts';
import * as automaticReviews from '../../../src/features/pull-requests/store/automatic-review-store.ts';
import * as comments from '../../../src/features/pull-requests/store/comment-store.ts';
import * as due from '../../../src/features/pull-requests/store/due-store.ts';
import * as labels from '../../../src/features/pull-requests/store/label-store.ts';
import * as merges from '../../../src/features/pull-requests/store/merge-store.ts';
import * as ownPushes from '../../../src/features/pull-requests/store/own-push-store.ts';
import * as lists from '../../../src/features/pull-requests/store/pull-request-list-store.ts';
import * as parts from '../../../src/features/pull-requests/store/pull-request-parts-store.ts';
import * as rows from '../../../src/features/pull-requests/store/pull-request-store.ts';
import * as reactions from '../../../src/features/pull-requests/store/reaction-store.ts';
import * as removals from '../../../src/features/pull-requests/store/removal-store.ts';
import * as reviews from '../../../src/features/pull-requests/store/review-store.ts';
import * as suggestionCommits from '../../../src/features/pull-requests/store/suggestion-commit-store.ts';
import * as waiting from '../../../src/features/pull-requests/store/waiting-merge-store.ts';
import * as trials from '../../../src/features/review-trials/trial-store.ts';
import * as agents from '../../../src/features/reviews/agents/agent-review-store.ts';
import * as decisions from '../../../src/features/reviews/decisions/decision-store.ts';
import * as dismissals from '../../../src/features/reviews/decisions/dismissal-store.ts';
import * as leftSecrets from '../../../src/features/reviews/decisions/left-secret-store.ts';
import * as reports from '../../../src/features/reviews/publishing/review-report-store.ts';
import * as figures from '../../../src/features/reviews/runs/figure-store.ts';
import * as runs from '../../../src/features/reviews/runs/review-run-store.ts';
import * as statuses from '../../../src/features/statuses/status-store.ts';
import * as dueWatches from '../../../src/features/watching/due-watch-store.ts';
import * as watches from '../../../src/features/watching/watch-store.ts';
import * as subjects from '../../../src/features/webhooks/pull-request-subject-store.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import { type Queries, testCoverage, testQueries } from '../../helpers/database/check-query-plans.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';
import { fillPullRequests } from '../../helpers/database/fill-pull-requests.ts';

/** Before every other. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const MAX_ROWS_READ = 1500;
const NOW = new Date('2026-11-15T12:00:00.000Z');
const REPORT: reports.ReportRow = {
  ...{ commit: 'a', check_state: 'success', check_title: 't', check_text: 't' },
  ...{ summary: null, summary_comment_id: null, sending: 'waiting' },
  ...{ description: null, replaced_description: null },
};
const id = uuidv7();
const replayId = uuidv7();

const connection = await createTestDatabase();
const some = await fillPullRequests(connection, [id, replayId]);

const { busy, organizationId, pullRequest, quiet, user } = some;
const READERS = (['viewer', 'admin'] as const).map((role) => ({ organizationId, userId: user, role }));
const person = { organizationId, userId: user };
const viewer = { ...person, role: 'viewer' as const };
const trial = {
  ...{ id, organizationId, reviewerId: organizationId, version: 1, codeHostId: null as string | null },
  ...{ userId: user, at: new Date() },
};
const key = { id: pullRequest, organization_id: organizationId };
const before = { at: new Date(Date.now() - 24 * 60 * 60_000), id };

const FILTERS: Partial<lists.PullRequestFilter>[] = [
  {},
  { before },
  { state: 'all' },
  { state: 'merged', before },
  { repositoryId: busy },
  { repositoryId: busy, state: 'all', before },
  { scope: 'mine' },
  { scope: 'mine', state: 'all' },
  { scope: 'waiting' },
  { authorId: user, state: 'all' },
  { assigneeId: user },
  { assigneeId: user, state: 'all' },
  { reviewerId: user },
  { reviewerId: user, state: 'all' },
  { label: 'rare' },
  { label: 'often', state: 'all' },
  { state: 'all', search: 'tle 12345' },
  { state: 'all', search: '#12345' },
];
const filterOf = (part: Partial<lists.PullRequestFilter>): lists.PullRequestFilter => ({
  scope: 'all',
  state: 'active',
  openDiscussions: false,
  limit: 51,
  ...part,
});

const commit = { organizationId, repositoryId: quiet, commit: 'a'.repeat(40) };
const STATUS: statuses.NewStatus = {
  ...{ name: 'ci', state: 'success', description: '', url: null, setWith: 'key', userId: user },
  ...{ keyName: null, accountLogin: null, at: NOW },
};
const COMMENTS = MASKED_TABLES.find(({ name }) => name === 'pull_request_comments')!;
const QUERIES: Queries = {
  'masked-table-store': {
    insertMaskedTables: (db) => masked.insertMaskedTables(db, ['discussions']),
    lockUnmasked: (db) => masked.lockUnmasked(db, ['discussions']),
    saveMasked: (db) => masked.saveMasked(db, 'discussions', { after: [id], isFinished: false }),
    selectStoredTexts: async (db) => {
      // Every table is read in the order of its key; these have rows here, with keys of both forms.
      for (const table of MASKED_TABLES) {
        if (!['discussions', 'pull_requests', 'review_candidates'].includes(table.name)) continue;
        await masked.selectStoredTexts(db, table, null, 100);
        const after = Object.values(table.key).map((type) => (type === 'uuid' ? id : '1'));
        await masked.selectStoredTexts(db, table, after, 100);
      }
    },
    updateStoredTexts: (db) => {
      const row = { key: [id], texts: ['a', null], json: [] };
      return masked.updateStoredTexts(db, COMMENTS, row, { ...row, texts: ['b', null] });
    },
  },
  'pull-request-list-store': {
    selectPullRequests: async (db) => {
      for (const reader of READERS) {
        for (const part of FILTERS) await lists.selectPullRequests(db, reader, filterOf(part));
      }
    },
    countPullRequests: async (db) => {
      for (const reader of READERS) await lists.countPullRequests(db, reader, 100);
    },
  },
  'mergeability-store': {
    claimUncheckedMerges: (db) => mergeability.claimUncheckedMerges(db),
    selectUncheckedMerges: (db) => mergeability.selectUncheckedMerges(db, busy, { after: id, limit: 100 }),
    updateUncheckedMerges: (db) =>
      mergeability.updateUncheckedMerges(db, [{ id: pullRequest, head: 'a', base: 'b', state: 'clean' }]),
    replaceConflicts: async (db) => {
      await mergeability.replaceConflicts(db, key, { total: 1, files: [] });
      await mergeability.replaceConflicts(db, key, null);
    },
  },
  'merge-rule-store': {
    selectDefaultBranch: (db) => mergeRules.selectDefaultBranch(db, busy),
    selectRulesFor: (db) => mergeRules.selectRulesFor(db, { organizationId, repositoryId: busy }),
    selectMergeRules: async (db) => {
      await mergeRules.selectMergeRules(db, organizationId, READERS[0]!);
      await mergeRules.selectMergeRules(db, organizationId, null);
    },
    lockRules: (db) => mergeRules.lockRules(db, organizationId),
    upsertMergeRule: (db) =>
      mergeRules.upsertMergeRule(db, {
        ...{ id, organizationId, repositoryId: busy, pattern: 'main', updatedBy: user, at: NOW },
        ...DEFAULT_TERMS,
      }),
    deleteMergeRuleRow: (db) => mergeRules.deleteMergeRuleRow(db, organizationId, id),
    selectNamesOf: (db) => mergeRules.selectNamesOf(db, organizationId, [user]),
  },
  'requirement-store': {
    selectVerdictFacts: (db) => requirements.selectVerdictFacts(db, pullRequest),
    selectMergeCircumstances: (db) =>
      requirements.selectMergeCircumstances(db, {
        ...{ organizationId, pullRequestId: pullRequest, userIds: [user] },
      }),
  },
  'automatic-review-store': {
    selectAutomaticReview: (db) => automaticReviews.selectAutomaticReview(db, pullRequest, 'a'.repeat(40)),
  },
  'keep-approvals-store': {
    selectApprovalsToKeep: (db) => keptApprovals.selectApprovalsToKeep(db, 100),
    postponeApproval: (db) => keptApprovals.postponeApproval(db, pullRequest),
  },
  'owners-store': {
    claimUnreadOwners: (db) => owners.claimUnreadOwners(db),
    isWatched: (db) => owners.isWatched(db, busy),
    selectUnreadOwners: (db) => owners.selectUnreadOwners(db, busy, { after: id, limit: 100 }),
    selectHostKind: (db) => owners.selectHostKind(db, busy),
    replaceOwners: (db) =>
      owners.replaceOwners(db, key, {
        file: null,
        dialect: 'github',
        owned: [],
        problems: [],
        writerIds: [user],
      }),
    selectStoredOwners: (db) => owners.selectStoredOwners(db, pullRequest),
    selectMembersByLogin: (db) => owners.selectMembersByLogin(db, id, ['ada']),
  },
  'review-settings-store': {
    selectReviewSettings: (db) => reviewSettings.selectReviewSettings(db, busy),
    upsertReviewSettings: (db) =>
      reviewSettings.upsertReviewSettings(
        db,
        { id: busy, organizationId },
        { ask_owners: null, user_ids: [], team_ids: [] },
      ),
    selectKnownReviewers: (db) => reviewSettings.selectKnownReviewers(db, pullRequest),
    holdReviewSettings: (db) => reviewSettings.holdReviewSettings(db, busy),
    selectApprovers: (db) =>
      reviewSettings.selectApprovers(db, { id: pullRequest, head_commit: 'a', base_branch: 'main' }),
  },
  'left-secret-store': {
    selectLeftSecrets: (db) => leftSecrets.selectLeftSecrets(db, before.at),
    markAdminsTold: (db) => leftSecrets.markAdminsTold(db, pullRequest, NOW),
  },
  'pull-request-people-store (secrets)': {
    selectAuthorsOfSecrets: (db) => people.selectAuthorsOfSecrets(db, [pullRequest]),
  },
  'mention-store': {
    selectCommentTexts: (db) => mentions.selectCommentTexts(db, [pullRequest]),
    selectDescriptions: (db) => mentions.selectDescriptions(db, [pullRequest]),
    selectVersionTexts: (db) => mentions.selectVersionTexts(db, [pullRequest]),
    insertMentions: (db) =>
      mentions.insertMentions(db, [{ sourceId: pullRequest, userId: user, organizationId }], NOW),
    deleteOldMentions: (db) => mentions.deleteOldMentions(db, before.at),
    selectReaders: (db) => mentions.selectReaders(db, [{ pullRequestId: pullRequest, userId: user }]),
  },
  'due-watch-store': {
    selectDue: (db) => dueWatches.selectDue(db, { after: FIRST_ID, limit: 100 }),
    selectRecipients: async (db) => {
      const found = await db.selectFrom('watches').select('id').where('repository_id', '=', busy).execute();
      await dueWatches.selectRecipients(
        db,
        pullRequest,
        found.map((watch) => watch.id),
      );
    },
    selectNewestEvent: (db) => dueWatches.selectNewestEvent(db, pullRequest),
  },
  'watch-store': {
    selectWatchesOf: (db) => watches.selectWatchesOf(db, READERS[0]!, busy),
    selectOwnWatches: async (db) => {
      for (const reader of READERS) await watches.selectOwnWatches(db, reader);
    },
    upsertWatch: (db) =>
      watches.upsertWatch(db, {
        ...{
          organizationId,
          repositoryId: busy,
          watcher: { userId: user, teamId: null },
          paths: [],
          at: NOW,
        },
      }),
    deleteWatch: (db) => watches.deleteWatch(db, busy, { userId: user, teamId: null }),
  },
  'mentionable-store': {
    selectMentionablePeople: async (db) => {
      for (const repositoryId of [null, busy])
        await mentionable.selectMentionablePeople(db, READERS[0]!, { query: 'us', repositoryId, limit: 8 });
    },
    selectMentionableTeams: (db) =>
      mentionable.selectMentionableTeams(db, READERS[0]!, { query: 'te', repositoryId: null, limit: 8 }),
  },
  'reference-store': {
    selectNamedRepositories: async (db) => {
      for (const reader of READERS) await references.selectNamedRepositories(db, reader, ['acme/x'], busy);
    },
    selectNumbered: (db) => references.selectNumbered(db, [{ repositoryId: busy, number: 5 }]),
    selectPeopleNames: (db) => references.selectPeopleNames(db, [user]),
  },
  'status-store': {
    lockStatusesOf: (db) => statuses.lockStatusesOf(db, commit),
    selectStatuses: (db) => statuses.selectStatuses(db, quiet, commit.commit),
    deleteStatuses: (db) => statuses.deleteStatuses(db, commit, ['ci']),
    upsertStatuses: (db) => statuses.upsertStatuses(db, commit, [STATUS]),
    selectPullRequestsOfHead: (db) => statuses.selectPullRequestsOfHead(db, { ...commit, commit: 'unknown' }),
    selectKeyName: (db) => statuses.selectKeyName(db, id),
  },
  'pull-request-store': {
    selectPullRequest: async (db) => {
      for (const reader of READERS) await rows.selectPullRequest(db, reader, pullRequest);
    },
    selectPullRequestById: (db) => rows.selectPullRequestById(db, organizationId, pullRequest),
    selectPullRequestByNumber: (db) => rows.selectPullRequestByNumber(db, organizationId, busy, 80),
    lockPullRequest: (db) => rows.lockPullRequest(db, organizationId, pullRequest),
    lockIdlePullRequests: (db) => rows.lockIdlePullRequests(db, [pullRequest, id]).execute(),
    updatePullRequest: (db) => rows.updatePullRequest(db, key, { last_event: '2' }),
    insertHead: (db) =>
      rows.insertHead(db, key, {
        commit: 'c',
        baseCommit: null,
        mergeBase: null,
        forced: null,
        position: 2,
        at: NOW,
      }),
    updateHead: (db) => rows.updateHead(db, pullRequest, 1, { forced: true }),
    // Reads all heads of one repository, which is what it is for.
    selectRecordedCommits: (db) => rows.selectRecordedCommits(db, quiet),
    selectHeads: (db) => rows.selectHeads(db, pullRequest, 200),
    selectHeadOf: (db) => rows.selectHeadOf(db, pullRequest, 'a'.repeat(40)),
    wasHead: (db) => rows.wasHead(db, pullRequest, 'a'.repeat(40)),
    newestPullRequestOfBranch: async (db) => {
      for (const reader of READERS) {
        await rows.newestPullRequestOfBranch(db, reader, busy, 'b5');
        await rows.newestPullRequestOfBranch(db, reader, busy, 'owner:b5');
      }
    },
  },
  'pull-request-parts-store': {
    selectPullRequestDetail: async (db) => {
      for (const reader of READERS) await parts.selectPullRequestDetail(db, reader, pullRequest);
    },
    selectNewestRevert: (db) => parts.selectNewestRevert(db, pullRequest),
    selectReviewRequests: (db) => parts.selectReviewRequests(db, pullRequest, 200),
    selectVerdicts: (db) => parts.selectVerdicts(db, pullRequest, 200),
    selectConversation: (db) => parts.selectConversation(db, pullRequest, 200),
    selectLinkedPlans: (db) =>
      parts.selectLinkedPlans(
        db,
        { organizationId, repositoryId: busy, number: 80 },
        { plans: 20, files: 1000 },
      ),
  },
  'reader-store': {
    selectViewedFiles: (db) => readers.selectViewedFiles(db, person, pullRequest),
    writeViewedFile: (db) =>
      readers.writeViewedFile(db, person, { pullRequestId: pullRequest, path: 'a', blob: 'b', at: NOW }),
    deleteViewedFile: (db) => readers.deleteViewedFile(db, person, { pullRequestId: pullRequest, path: 'a' }),
    insertMute: (db) => readers.insertMute(db, person, { pullRequestId: pullRequest, at: NOW }),
    deleteMute: (db) => readers.deleteMute(db, person, pullRequest),
    writeLastSeenHead: (db) =>
      readers.writeLastSeenHead(db, person, { pullRequestId: pullRequest, head: 'a'.repeat(40), at: NOW }),
  },
  'review-store': {
    hasPushed: (db) => reviews.hasPushed(db, pullRequest, user),
    hasOpenRequest: (db) => reviews.hasOpenRequest(db, pullRequest, user),
    dismissRequests: (db) => reviews.dismissRequests(db, pullRequest, user, NOW),
    selectCommitMembers: (db) =>
      reviews.selectCommitMembers(db, organizationId, ['1+a@users.noreply.github.com']),
    selectVerdictToDismiss: (db) => reviews.selectVerdictToDismiss(db, pullRequest, id),
    selectLastVerdict: (db) => reviews.selectLastVerdict(db, pullRequest, user),
    selectAuthorId: (db) => reviews.selectAuthorId(db, pullRequest),
    selectCommitNames: (db) => reviews.selectCommitNames(db, { organizationId, userId: user }, pullRequest),
    selectPossibleReviewers: (db) => reviews.selectPossibleReviewers(db, busy, [user, id]),
    replaceReviewRequests: (db) => reviews.replaceReviewRequests(db, key, [{ userId: user, name: 'x' }], NOW),
    deleteReviewRequests: (db) => reviews.deleteReviewRequests(db, pullRequest, [user]),
    deleteReviewRequestsById: (db) => reviews.deleteReviewRequestsById(db, [pullRequest]),
    updateVerdict: (db) => reviews.updateVerdict(db, pullRequest, { dismissed_at: NOW }),
  },
  'comment-store': {
    updateComment: (db) => comments.updateComment(db, id, { body: 'y', edited_at: NOW, sending: 'none' }),
    deleteComments: (db) => comments.deleteComments(db, [pullRequest, id]),
    keepCommentText: (db) => comments.keepCommentText(db, pullRequest, NOW),
    selectCommentEdits: (db) => comments.selectCommentEdits(db, pullRequest),
    selectCommentOf: (db) => comments.selectCommentOf(db, pullRequest, id),
    replaceByDeleted: (db) => comments.replaceByDeleted(db, { id, deletedBy: user, at: NOW }),
    selectDeletedComments: (db) => comments.selectDeletedComments(db, pullRequest),
  },
  'removal-store': {
    insertRemoval: (db) =>
      removals.insertRemoval(db, {
        ...{ commentId: id, organizationId, pullRequestId: pullRequest, hostCommentId: null, at: NOW },
      }),
    selectRemovals: (db) => removals.selectRemovals(db, pullRequest),
    countRemovalAttempt: (db) => removals.countRemovalAttempt(db, pullRequest),
    deleteRemovals: (db) => removals.deleteRemovals(db, [pullRequest, id]),
  },
  'label-store': {
    selectLabels: async (db) => {
      for (const repositoryId of [undefined, busy]) await labels.selectLabels(db, viewer, repositoryId);
    },
    selectAssigneeIds: (db) => labels.selectAssigneeIds(db, pullRequest),
    insertAssignees: (db) => labels.insertAssignees(db, key, [pullRequest], NOW),
    deleteAssignees: (db) => labels.deleteAssignees(db, pullRequest, [user, id]),
  },
  'reaction-store': {
    insertReaction: (db) =>
      reactions.insertReaction(
        db,
        { organizationId, userId: user },
        { commentId: pullRequest, reaction: 'eyes', at: NOW },
      ),
    deleteReaction: (db) =>
      reactions.deleteReaction(db, { userId: user }, { commentId: pullRequest, reaction: '+1' }),
    selectReactions: (db) => reactions.selectReactions(db, { userId: user }, [pullRequest, id]),
  },
  'image-store': {
    lockImages: (db) => images.lockImages(db, organizationId),
    sumImageBytes: (db) => images.sumImageBytes(db, organizationId),
    countImages: (db) => images.countImages(db, { pullRequestId: pullRequest, planId: null }),
    selectImage: (db) => images.selectImage(db, viewer, pullRequest),
    selectPlanId: (db) => images.selectPlanId(db, organizationId, pullRequest),
    lockImagesToLookAt: (db) =>
      images.lockImagesToLookAt(db, { before: new Date(Date.now() + 60_000), limit: 5 }),
    deleteUnusedImages: (db) => images.deleteUnusedImages(db, [pullRequest], NOW),
  },
  'due-store': {
    claimDueReviews: (db) => due.claimDueReviews(db, 100),
    claimUnjudged: (db) => due.claimUnjudged(db, 200),
  },
  'pull-request-people-store': {
    selectPullRequestPeople: (db) => people.selectPullRequestPeople(db, [pullRequest, id]),
    selectCommentThreads: (db) => people.selectCommentThreads(db, [pullRequest, id]),
    selectLaterRequests: (db) => people.selectLaterRequests(db, [{ subjectId: pullRequest, number: '1' }]),
    selectPeopleWithAccess: (db) =>
      people.selectPeopleWithAccess(db, [{ pullRequestId: pullRequest, userId: user }]),
  },
  'pull-request-subject-store': {
    selectEventPullRequests: (db) => subjects.selectEventPullRequests(db, [pullRequest, id]),
    selectEventRepositories: (db) => subjects.selectEventRepositories(db, [pullRequest, id]),
    selectPullRequestComments: (db) => subjects.selectPullRequestComments(db, [pullRequest, id]),
    selectRequestedNames: (db) => subjects.selectRequestedNames(db, [pullRequest, id]),
    selectAuthors: (db) => subjects.selectAuthors(db, [pullRequest, id]),
    selectNamesOfTeams: (db) => subjects.selectNamesOfTeams(db, [id]),
  },
  'discussion-store': {
    selectAboutSecrets: (db) => discussions.selectAboutSecrets(db, [pullRequest]),
    selectBranchDiscussions: async (db) => {
      for (const status of ['open', 'all'] as const)
        await discussions.selectBranchDiscussions(db, pullRequest, status);
    },
    selectComments: (db) => discussions.selectComments(db, [pullRequest, id]),
    selectDiscussions: async (db) => {
      const place = { id: pullRequest, head_commit: 'a'.repeat(40) };
      await discussions.selectDiscussions(db, place);
      await discussions.selectDiscussions(db, place, { discussionId: pullRequest });
      await discussions.selectDiscussions(db, place, { status: 'open' });
    },
    selectPullRequestOf: (db) => discussions.selectPullRequestOf(db, organizationId, pullRequest),
    selectHostKind: (db) => discussions.selectHostKind(db, busy),
    selectSameReply: (db) =>
      discussions.selectSameReply(db, { discussionId: pullRequest, userId: user, body: 'x' }),
    selectComment: (db) => discussions.selectComment(db, pullRequest, id),
    updateStatus: (db) =>
      discussions.updateStatus(db, pullRequest, {
        status: 'resolved',
        cause: 'person',
        userId: user,
        accountId: null,
        name: 'x',
        reason: null,
        at: NOW,
      }),
    touchDiscussion: (db) => discussions.touchDiscussion(db, pullRequest, NOW),
    updateDiscussion: (db) => discussions.updateDiscussion(db, pullRequest, { host_resolved: true }),
    deleteDiscussion: (db) => discussions.deleteDiscussion(db, pullRequest),
  },
  'pending-store': {
    selectPendingComments: async (db) => {
      await pending.selectPendingComments(db, { ...person, pullRequestId: pullRequest });
      await pending.selectPendingComments(db, { ...person, pullRequestId: pullRequest }, { ids: [id] });
    },
    insertPendingComment: (db) =>
      pending.insertPendingComment(
        db,
        { ...person, pullRequestId: pullRequest },
        {
          ...{ id, discussionId: null, file: 'a.ts', side: 'new', startLine: 1, endLine: 1 },
          ...{ commit: null, commentedCode: '', body: 'x', at: NOW },
        },
      ),
    updatePendingComment: (db) =>
      pending.updatePendingComment(db, { ...person, pullRequestId: pullRequest }, { id, body: 'y', at: NOW }),
    deletePendingComments: async (db) => {
      await pending.deletePendingComments(db, { ...person, pullRequestId: pullRequest }, [id]);
      await pending.deletePendingComments(db, { ...person, pullRequestId: pullRequest });
    },
  },
  'judgement-store': {
    clearJudgement: (db) => judgements.clearJudgement(db, pullRequest),
    updateJudgements: (db) =>
      judgements.updateJudgements(db, [{ discussionId: pullRequest, judgement: { verdict: 'open' } }]),
    upsertPositions: (db) =>
      judgements.upsertPositions(db, organizationId, 'a'.repeat(40), [
        { discussionId: pullRequest, outcome: 'exact', file: 'a.ts', startLine: 1, endLine: 1 },
      ]),
    selectPlacesAt: (db) =>
      judgements.selectPlacesAt(db, pullRequest, [{ discussionId: pullRequest, position: 1 }]),
  },
  'review-run-store': {
    selectRaised: (db) => runs.selectRaised(db, pullRequest),
    selectListed: (db) => runs.selectListed(db, pullRequest, ['a', 'b']),
    selectOwnVerdict: (db) => runs.selectOwnVerdict(db, pullRequest),
    selectAuthorNames: (db) => runs.selectAuthorNames(db, pullRequest),
    selectReviewedHeads: (db) => runs.selectReviewedHeads(db, pullRequest),
    selectOtherOpenChanges: (db) => runs.selectOtherOpenChanges(db, { id: pullRequest, repository_id: busy }),
    selectRuns: (db) => runs.selectRuns(db, pullRequest, 50),
    selectRun: (db) => runs.selectRun(db, organizationId, pullRequest),
    selectCandidates: (db) => runs.selectCandidates(db, pullRequest),
  },
  'decision-store': {
    selectDecisions: (db) =>
      decisions.selectDecisions(
        db,
        { organizationId, repositoryId: busy, pullRequestId: pullRequest },
        { keys: ['a', 'b'], checks: ['c5'] },
      ),
    countWrong: (db) => decisions.countWrong(db, busy),
    selectDecider: (db) => decisions.selectDecider(db, organizationId, pullRequest),
    selectNewestDecision: (db) => decisions.selectNewestDecision(db, pullRequest),
    hasDecided: (db) => decisions.hasDecided(db, pullRequest, pullRequest),
    selectFindingOf: (db) => decisions.selectFindingOf(db, organizationId, pullRequest),
    selectDecisionsToExport: (db) => decisions.selectDecisionsToExport(db, { repositoryId: busy }),
    selectOpenFindings: async (db) => {
      for (const reader of READERS) {
        await decisions.selectOpenFindings(db, reader, { repositoryId: busy, pullRequestId: null });
        await decisions.selectOpenFindings(db, reader, { repositoryId: busy, pullRequestId: pullRequest });
      }
    },
  },
  'dismissal-store': {
    selectDismissals: async (db) => {
      const before = { at: NOW, id: pullRequest };
      for (const reader of READERS)
        for (const filter of [{}, { before }, { repositoryId: busy }, { reviewerId: pullRequest }])
          await dismissals.selectDismissals(db, reader, { ...filter, limit: 51 });
    },
    selectDismissal: (db) => dismissals.selectDismissal(db, organizationId, pullRequest),
    markUndone: (db) => dismissals.markUndone(db, pullRequest, NOW),
  },
  'review-report-store': {
    selectReportedRun: (db) => reports.selectReportedRun(db, pullRequest, 'a'.repeat(40)),
    selectReportedFindings: (db) => reports.selectReportedFindings(db, pullRequest),
    upsertReport: (db) =>
      reports.upsertReport(
        db,
        { id: pullRequest, organizationId },
        { commit: 'a', checkState: 'success', checkTitle: 't', checkText: 't', summary: null },
      ),
    updateReportDescription: (db) =>
      reports.updateReportDescription(db, pullRequest, { description: 'd', replaces: '' }),
    selectReport: (db) => reports.selectReport(db, pullRequest),
    markReportSent: (db) =>
      reports.markReportSent(db, pullRequest, REPORT, { summaryCommentId: null, problem: null }),
  },
  'figure-store': {
    selectFindingFigures: async (db) => {
      await figures.selectFindingFigures(db, viewer, new Date(), null);
      await figures.selectFindingFigures(db, viewer, new Date(), organizationId);
    },
    selectReviewFigures: (db) => figures.selectReviewFigures(db, viewer, new Date()),
  },
  'trial-store': {
    insertTrial: (db) => trials.insertTrial(db, { ...trial, id: uuidv7() }),
    insertTrialPullRequests: async (db) => {
      await trials.insertTrialPullRequests(db, viewer, trial, 100);
      const replay = { ...trial, id: replayId, reviewerId: null, version: null, codeHostId: id };
      await trials.insertTrialPullRequests(db, viewer, replay, 100);
    },
    claimTrials: (db) => trials.claimTrials(db),
    selectTrial: (db) => trials.selectTrial(db, organizationId, pullRequest),
    noteProgress: (db) => trials.noteProgress(db, pullRequest),
    selectNextPullRequest: (db) => trials.selectNextPullRequest(db, pullRequest),
    selectHeads: (db) => trials.selectHeads(db, pullRequest),
    selectSaid: (db) => trials.selectSaid(db, pullRequest),
    updateTrialPullRequest: (db) =>
      trials.updateTrialPullRequest(
        db,
        { trialId: pullRequest, position: 1 },
        { findings: [], problem: null, at: NOW },
      ),
    finishTrial: (db) => trials.finishTrial(db, pullRequest, 'done', NOW),
    selectTrials: async (db) => {
      for (const filter of [{}, { id: pullRequest }, { reviewerId: organizationId }, { codeHostId: id }])
        await trials.selectTrials(db, viewer, filter, 10);
    },
    selectTrialPullRequests: (db) => trials.selectTrialPullRequests(db, viewer, pullRequest),
    selectHostExists: (db) => trials.selectHostExists(db, organizationId, id),
  },
  'agent-review-store': {
    insertAgentReview: (db) =>
      agents.insertAgentReview(db, {
        ...{ id, organizationId, repositoryId: busy, pullRequestId: pullRequest, userId: user },
        producer: { kind: 'agent', userId: user, userName: null, vendor: null, model: null, sessionId: null },
        ...{ credentialId: user, headCommit: 'a', mergeBase: 'a', patch: null, paths: [], addedLines: 0 },
        ...{ moreFiles: 0, notReviewed: [], leaseUntil: NOW, at: NOW },
      }),
    lockCredential: (db) => agents.lockCredential(db, pullRequest),
    countOpenReviews: (db) => agents.countOpenReviews(db, user, NOW),
    forgetPatches: (db) => agents.forgetPatches(db, user, NOW),
    selectAgentReview: async (db) => {
      for (const reader of READERS) await agents.selectAgentReview(db, reader, pullRequest);
    },
    lockAgentReview: (db) => agents.lockAgentReview(db, pullRequest),
    renewLease: (db) => agents.renewLease(db, pullRequest, NOW),
    addServed: (db) => agents.addServed(db, pullRequest, ['a']),
    finishAgentReview: (db) => agents.finishAgentReview(db, pullRequest, NOW),
    selectReports: (db) => agents.selectReports(db, pullRequest),
    selectOthersFindings: (db) =>
      agents.selectOthersFindings(db, {
        ...{ id, repository_id: quiet, head_commit: 'a'.repeat(40), merge_base: 'a'.repeat(40) },
        ...{ pull_request_id: pullRequest, user_id: user },
      }),
    selectVerdicts: (db) => agents.selectVerdicts(db, [pullRequest]),
    upsertVerdicts: (db) =>
      agents.upsertVerdicts(db, { reviewId: pullRequest, organizationId, at: NOW }, [
        { findingId: pullRequest, verdict: 'unsure', reason: 'r' },
      ]),
    selectDoNotRaise: (db) =>
      agents.selectDoNotRaise(db, { organizationId, repositoryId: busy, pullRequestId: pullRequest }, 50),
  },
  'merge-store': {
    renewMerge: (db) => merges.renewMerge(db, id),
    isBeingMerged: (db) => merges.isBeingMerged(db, pullRequest),
    lockPushingMerge: (db) => merges.lockPushingMerge(db, id),
    finishMergeRow: (db) =>
      merges.finishMergeRow(db, id, { state: 'merged', failure: null, problem: null, at: NOW }),
    takeInterruptedMerges: (db) => merges.takeInterruptedMerges(db, 20),
    selectFinishedMerge: (db) => merges.selectFinishedMerge(db, pullRequest),
    selectNewestMerge: (db) => merges.selectNewestMerge(db, pullRequest),
    selectMergesTo: (db) => merges.selectMergesTo(db, busy, [id]),
    selectSigner: (db) => merges.selectSigner(db, user),
    selectUserOfBranch: (db) =>
      merges.selectUserOfBranch(db, { repositoryId: busy, branch: 'b5', exceptId: pullRequest }),
  },
  'waiting-merge-store': {
    selectWaitingMerge: (db) => waiting.selectWaitingMerge(db, pullRequest),
    upsertWaitingMerge: (db) =>
      waiting.upsertWaitingMerge(db, {
        ...{ id, pullRequestId: pullRequest, organizationId, userId: user, head: 'a', baseBranch: 'main' },
        ...{ method: 'merge', message: null, deleteBranch: false, at: NOW },
      }),
    deleteWaitingMerge: (db) => waiting.deleteWaitingMerge(db, pullRequest),
    claimWaitingMerges: (db) => waiting.claimWaitingMerges(db),
    markLooked: (db) =>
      waiting.markLooked(
        db,
        pullRequest,
        { base_commit: 'a', last_event: '1', owners_base: null, owners_head: null },
        NOW,
      ),
    postponeWaitingMerge: (db) => waiting.postponeWaitingMerge(db, pullRequest, 60),
    moveWaitingMerge: (db) => waiting.moveWaitingMerge(db, pullRequest, 'b'),
    selectMergerRole: (db) =>
      waiting.selectMergerRole(db, { organizationId, repositoryId: busy, userId: user }),
  },
  'suggestion-commit-store': {
    deleteSuggestionCommit: (db) => suggestionCommits.deleteSuggestionCommit(db, id),
    markSuggestionsApplied: (db) => suggestionCommits.markSuggestionsApplied(db, id, NOW),
    selectSuggestionCommits: (db) => suggestionCommits.selectSuggestionCommits(db, busy, [id]),
    selectAppliedSuggestions: (db) => suggestionCommits.selectAppliedSuggestions(db, pullRequest),
  },
  'own-push-store': {
    deleteOwnPush: (db) => ownPushes.deleteOwnPush(db, id),
    selectOwnPushes: (db) => ownPushes.selectOwnPushes(db, busy, ['b5']),
    selectUpdater: (db) => ownPushes.selectUpdater(db, { repositoryId: busy, branch: 'b', commit: 'a' }),
    deleteRestores: (db) => ownPushes.deleteRestores(db, pullRequest),
    isRestored: (db) => ownPushes.isRestored(db, pullRequest),
    deleteDeletions: (db) => ownPushes.deleteDeletions(db, pullRequest),
    selectHeadBranchState: (db) => {
      const of = { repositoryId: busy, pullRequestId: pullRequest, branch: 'b5', commit: 'a' };
      return ownPushes.selectHeadBranchState(db, of);
    },
    isOwnRevert: (db) => ownPushes.isOwnRevert(db, { pullRequestId: pullRequest, branch: 'b5', tip: 'a' }),
  },
  'suggestion-store': {
    selectCommitPeople: (db) => suggestions.selectCommitPeople(db, organizationId, [user]),
    selectHostKind: (db) => suggestions.selectHostKind(db, busy),
  },
  'plain-git-store': {
    selectHostOf: (db) => plainGit.selectHostOf(db, busy),
    selectBranchCommits: (db) => plainGit.selectBranchCommits(db, busy, ['main', 'b2']),
    lockNumbers: (db) => plainGit.lockNumbers(db, busy),
    nextNumber: (db) => plainGit.nextNumber(db, busy),
    selectSameBranches: (db) =>
      plainGit.selectSameBranches(db, { repositoryId: busy, head: 'b5', base: 'main', exceptId: id }),
    selectMoved: (db) => plainGit.selectMoved(db, { after: '0'.repeat(32), limit: 1000 }),
  },
};
/** Looks up three rows for each of the 400 open ones of plain git, however many others there are. */
const MAX_ROWS: Record<string, number> = { selectMoved: 4000 };

/** Plain inserts, and parts of other queries. */
const OTHERS = [
  ...['insertPullRequestRow', 'summariesFor', 'insertVerdict', 'insertReviewRequests'],
  ...['insertDiscussion', 'insertComment', 'insertRun', 'insertCandidates', 'insertDecision'],
  ...[
    'insertAgentFindings',
    'insertMerge',
    'termsOf',
    'insertSuggestionCommit',
    'insertImage',
    'insertOwnPush',
  ],
  'duringOwnPush',
];

const SCANS = {
  // An organization has a few hosts; here there are none.
  selectCommitMembers: ['code_hosts'],
  // Plans have no reviews here; with many, query-plans-of-plans.test.ts has the same condition.
  selectLinkedPlans: ['plan_reviews', 'plan_versions'],
  // There are none here.
  selectCommentTexts: ['plan_comments'],
  selectVersionTexts: ['plan_versions'],
  deleteOldMentions: ['mentions'],
  // There are none here; their ID is the primary key.
  selectKeyName: ['api_keys'],
  // An organization has a few rules; here there are none.
  selectRulesFor: ['merge_rules'],
  selectMergeRules: ['merge_rules'],
  deleteMergeRuleRow: ['merge_rules'],
  selectApprovalsToKeep: ['merge_rules'],
  // There are few at a time.
  selectRemovals: ['comment_removals'],
  countRemovalAttempt: ['comment_removals'],
  deleteRemovals: ['comment_removals'],
  claimWaitingMerges: ['merge_rules', 'waiting_merges'],
  selectWaitingMerge: ['waiting_merges'],
  deleteWaitingMerge: ['waiting_merges'],
  markLooked: ['waiting_merges'],
  postponeWaitingMerge: ['waiting_merges'],
  moveWaitingMerge: ['waiting_merges'],
  // There are none here; they are found by their subject, the primary key.
  isRestored: ['events'],
  selectHeadBranchState: ['events'],
  selectNewestEvent: ['events'],
  selectLaterRequests: ['events'],
  // There are none here; they are found by the person and the subject.
  selectRecipients: ['inbox_items'],
  // There are a few members here.
  selectMergeCircumstances: ['memberships'],
  // It has one row for each of a few tables.
  lockUnmasked: ['masked_tables'],
  saveMasked: ['masked_tables'],
};

testQueries(connection, QUERIES, { maxRowsRead: MAX_ROWS_READ, maxRowsOf: MAX_ROWS, scans: SCANS });

const STORES = [
  ...[
    agents,
    comments,
    due,
    decisions,
    dismissals,
    lists,
    figures,
    trials,
    parts,
    people,
    plainGit,
    automaticReviews,
    keptApprovals,
    mergeability,
    mergeRules,
    merges,
    owners,
    requirements,
    reviewSettings,
    labels,
    removals,
    reactions,
    readers,
    rows,
    statuses,
    leftSecrets,
    mentions,
    references,
    waiting,
    mentionable,
    dueWatches,
    watches,
  ],
  ...[reports, reviews, runs, subjects, discussions, judgements, masked, pending],
  ...[suggestionCommits, suggestions, images, ownPushes],
];
testCoverage(QUERIES, STORES, OTHERS);
