/**
 * Every query of pull requests, explained on 40,000 of them, of which one organization has 20,000 and one repository 5,000:
 * each is served by an index and reads few rows.
 */
import { describe, expect, it } from 'vitest';
import * as discussions from '../src/features/discussions/discussion-store.ts';
import * as judgements from '../src/features/discussions/judgement-store.ts';
import * as people from '../src/features/inbox/pull-request-people-store.ts';
import * as plainGit from '../src/features/pull-requests/plain-git-store.ts';
import * as lists from '../src/features/pull-requests/pull-request-list-store.ts';
import * as parts from '../src/features/pull-requests/pull-request-parts-store.ts';
import * as rows from '../src/features/pull-requests/pull-request-store.ts';
import * as readers from '../src/features/pull-requests/reader-store.ts';
import * as reviews from '../src/features/pull-requests/review-store.ts';
import * as trials from '../src/features/review-trials/trial-store.ts';
import * as agents from '../src/features/reviews/agent-review-store.ts';
import * as decisions from '../src/features/reviews/decision-store.ts';
import * as figures from '../src/features/reviews/figure-store.ts';
import * as reports from '../src/features/reviews/review-report-store.ts';
import * as runs from '../src/features/reviews/review-run-store.ts';
import * as subjects from '../src/features/webhooks/pull-request-subject-store.ts';
import { uuidv7 } from '../src/platform/core/uuid.ts';
import { type Db, withConnection } from '../src/platform/db/index.ts';
import { createTestDatabase } from './database.ts';
import { explainEach, rowsRead, tablesScanned } from './explain-queries.ts';
import { finishFilling, startFilling } from './fill-quickly.ts';

const ROWS = 20_000;
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
const some = await withConnection(connection, async (client) => {
  await startFilling(client);
  await client.query(
    `CREATE TEMP TABLE numbered AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, ${ROWS}) n`,
  );
  await client.query('CREATE INDEX ON numbered (n)');
  await client.query(`INSERT INTO organizations SELECT id, 'O' || n, now() FROM numbered WHERE n <= 100`);
  await client.query(
    `INSERT INTO users SELECT id, 'user' || n || '@example.com', 'User ' || n, 'x', now(), now() FROM numbered`,
  );
  await client.query(`INSERT INTO memberships SELECT o.id, u.id, 'member', now() FROM numbered u
    JOIN numbered o ON o.n = u.n % 100 + 1`);
  await client.query(`INSERT INTO code_hosts SELECT id, id, 'gitea', 'https://example.com', NULL, now(), now()
    FROM numbered WHERE n <= 5000`);
  await client.query(`INSERT INTO host_accounts (id, organization_id, code_host_id, host_account_id, login, name, is_bot, user_id)
    SELECT a.id, o.id, o.id, a.n, 'login', 'Name', false, CASE WHEN a.n % 2 = 0 THEN a.id END
    FROM numbered a JOIN numbered o ON o.n = a.n % 100 + 1`);
  await client.query(`INSERT INTO repositories (id, organization_id, name, created_at, visibility, state)
    SELECT r.id, o.id, 'owner/r' || r.n, now(), CASE WHEN r.n % 3 = 0 THEN 'members' ELSE 'organization' END, 'ready'
    FROM numbered r JOIN numbered o ON o.n = CASE WHEN r.n % 2 = 0 THEN 1 ELSE r.n % 100 + 1 END WHERE r.n <= 2000`);
  await client.query(`INSERT INTO repository_members SELECT r.id, m.user_id, r.organization_id FROM repositories r
    JOIN LATERAL (SELECT user_id FROM memberships m WHERE m.organization_id = r.organization_id LIMIT 3) m ON true`);
  // One in 50 is open; half of the open ones are of plain git, and nearly all of their branches are where they were.
  await client.query(`INSERT INTO pull_requests (id, organization_id, repository_id, number, origin, title, description, state,
      author_kind, author_user_id, author_account_id, author_name, head_branch, base_branch, head_commit, base_commit,
      head_count, labels, created_at, updated_at, last_event, discussion_count, open_discussion_count, comment_count)
    SELECT p.id, r.organization_id, r.id, p.n, CASE WHEN p.n % 100 < 50 THEN 'host' ELSE 'git' END, 'Title ' || p.n, '',
      CASE p.n % 50 WHEN 0 THEN 'open' WHEN 1 THEN 'closed' ELSE 'merged' END, 'person',
      CASE WHEN p.n % 2 = 0 THEN u.id END, CASE WHEN p.n % 2 = 1 THEN u.id END, 'Name', 'b' || p.n % 401, 'main',
      repeat(CASE WHEN p.n % 10000 = 50 THEN 'b' ELSE 'a' END, 40), repeat('a', 40),
      1, '{}', now() - p.n * interval '1 minute', now() - p.n * interval '1 minute', 1, 0, 0, 0
    FROM numbered p JOIN numbered u ON u.n = p.n / 100 * 100 + 1
    JOIN numbered o ON o.n = CASE WHEN p.n % 8 = 0 THEN 2 ELSE p.n % 1999 + 2 END JOIN repositories r ON r.id = o.id`);
  await client.query(`INSERT INTO repository_refs
    SELECT DISTINCT repository_id, 'branch', unnest(ARRAY['main', head_branch]), organization_id, repeat('a', 40) FROM pull_requests`);
  await client.query(`INSERT INTO pull_request_heads SELECT id, 1, organization_id, repeat('a', 40), NULL, NULL, false, now()
    FROM pull_requests`);
  await client.query(`INSERT INTO pull_request_review_requests SELECT p.id, p.id, p.organization_id, u.id, NULL, 'x', now()
    FROM pull_requests p JOIN numbered u ON u.n = p.number / 50 * 50 + 1 WHERE p.number % 5 = 0`);
  await client.query(`INSERT INTO pull_request_review_requests SELECT gen_random_uuid(), p.id, p.organization_id, NULL, u.id, 'x', now()
    FROM pull_requests p JOIN numbered u ON u.n = p.number / 50 * 50 + 1 WHERE p.number % 5 = 1`);
  await client.query(`INSERT INTO pull_request_verdicts (id, pull_request_id, organization_id, user_id, name, verdict, created_at, sending)
    SELECT id, id, organization_id, NULL, 'x', 'approved', now(), 'none' FROM pull_requests`);
  await client.query(`INSERT INTO pull_request_comments (id, pull_request_id, organization_id, author_kind, author_name, body, created_at, sending)
    SELECT id, id, organization_id, 'person', 'x', 'x', now(), 'none' FROM pull_requests`);
  // One in 10,000 has a head that was not compared with its discussions yet.
  await client.query(`UPDATE pull_requests SET judged_head = head_commit WHERE number % 10000 <> 50`);
  await client.query(`INSERT INTO discussions (id, organization_id, repository_id, pull_request_id, host_thread_id, file, side,
      start_line, end_line, commit, commented_code, author_kind, author_account_id, author_name, created_at, updated_at, status,
      status_cause, status_at, judged_from, sending)
    SELECT id, organization_id, repository_id, id, number, 'a.ts', 'new', 1, 1, repeat('a', 40), 'x', 'person', id, 'x', now(), now(),
      'open', 'opened', now(), 1, 'none' FROM pull_requests`);
  await client.query(`INSERT INTO pull_request_comments (id, pull_request_id, organization_id, discussion_id, author_kind,
      author_user_id, author_name, body, created_at, sending)
    SELECT gen_random_uuid(), id, organization_id, id, 'person', id, 'x', 'x', now(), 'none' FROM pull_requests`);
  await client.query(`INSERT INTO discussion_positions SELECT id, repeat('a', 40), organization_id, 'exact', 'a.ts', 1, 1
    FROM pull_requests`);
  await client.query(`INSERT INTO pull_request_viewed_files SELECT u.id, p.id, 'a', p.organization_id, 'b', now()
    FROM pull_requests p JOIN numbered u ON u.n = 1`);
  await client.query(`INSERT INTO pull_request_last_seen_heads SELECT u.id, p.id, p.organization_id, repeat('a', 40), now()
    FROM pull_requests p JOIN numbered u ON u.n = 1`);
  await client.query(`INSERT INTO pull_request_mutes SELECT u.id, p.id, p.organization_id, now()
    FROM pull_requests p JOIN numbered u ON u.n = 1`);
  await client.query(`INSERT INTO plans (id, organization_id, series_id, status, title, agent_vendor, created_by, created_at,
      updated_at, version, content_since, last_event, comment_count)
    SELECT p.id, p.organization_id, p.id, 'approved', 'T', 'x', p.id, now(), now(), 1, 1, 1, 0 FROM pull_requests p`);
  await client.query(`INSERT INTO plan_pull_requests SELECT id, id, organization_id, repository_id, 'x', number, id, now()
    FROM pull_requests`);
  await client.query(`INSERT INTO plan_files SELECT id, organization_id, 'src/a.ts' FROM plans`);
  // One in 10,000 is due for a review; all have been reviewed, with one finding each.
  await client.query(`UPDATE pull_requests SET merge_base = repeat('a', 40),
    review_trigger = CASE WHEN number % 10000 = 50 THEN 'pushed' END`);
  await client.query(`INSERT INTO reviewers (id, organization_id, built_in, title, enabled, active_version, newest_version, created_at, updated_at)
    SELECT id, id, 'secrets', 'Secrets', true, 1, 1, now(), now() FROM numbered WHERE n <= 5000`);
  await client.query(`INSERT INTO review_runs SELECT id, organization_id, repository_id, id, 'opened', NULL, repeat('a', 40),
    repeat('a', 40), 'done', NULL, 1, 1, 0, '[]', '[]', now(), now() FROM pull_requests`);
  await client.query(`INSERT INTO review_candidates SELECT id, 0, organization_id, id, organization_id, 'c', 'secret', 's', 't', 's', 'f',
    'head', 1, 'q', '[]', NULL, md5(number::text), 'finding', NULL, id FROM pull_requests`);
  await client.query(`INSERT INTO finding_decisions SELECT id, organization_id, repository_id, id, id, md5(number::text), 'repository',
    'wrong', NULL, id, now(), 'c' || number % 200, 'rule', 's', 'f', 'q' FROM pull_requests`);
  await client.query(
    `INSERT INTO review_trials SELECT id, organization_id, organization_id, 1, NULL, id, 'done', now(), now(), now() FROM pull_requests`,
  );
  await client.query(`INSERT INTO code_host_repositories (repository_id, organization_id, code_host_id, host_repository_id, full_name, is_private, connected_at)
    SELECT id, organization_id, '${id}', name, name, false, now() FROM repositories`);
  await client.query(
    `INSERT INTO reviewer_scopes SELECT id, 1, 0, organization_id, NULL, '{}' FROM pull_requests`,
  );
  await client.query(
    `INSERT INTO review_trials SELECT t.id, p.organization_id, p.organization_id, 1, NULL, p.id, 'done', now(), now(), now()
      FROM (SELECT * FROM pull_requests LIMIT 1) p, unnest('{${id},${replayId}}'::uuid[]) AS t (id)`,
  );
  await client.query(
    `INSERT INTO review_trial_pull_requests SELECT id, 1, organization_id, repository_id, id, NULL, NULL, '[]' FROM pull_requests`,
  );
  await client.query(`INSERT INTO review_reports SELECT id, organization_id, repeat('a', 40), 'success', 't', 't', NULL, NULL, 'sent'
    FROM pull_requests`);
  // One agent's review of each, with one finding and one verdict.
  await client.query(`INSERT INTO agent_reviews SELECT id, organization_id, repository_id, id, id, id, '{}', repeat('a', 40),
    repeat('a', 40), NULL, '{a}', '{}', 1, 0, '[]', now(), now(), NULL FROM pull_requests`);
  await client.query(
    `INSERT INTO agent_findings SELECT id, id, organization_id, 'k', 'accepted', NULL, '{}', now() FROM pull_requests`,
  );
  await client.query(
    `INSERT INTO finding_verdicts SELECT id, id, organization_id, 'confirmed', 'r', now() FROM pull_requests`,
  );
  await finishFilling(client);
  const one = async (n: number) =>
    (await client.query<{ id: string }>(`SELECT id FROM numbered WHERE n = ${n}`)).rows[0]!.id;
  return {
    organizationId: await one(1),
    busy: await one(2),
    quiet: await one(5),
    pullRequest: await one(80),
    user: await one(101),
  };
});

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

const QUERIES: Record<string, Record<string, (db: Db) => Promise<unknown>>> = {
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
    selectAuthorId: (db) => reviews.selectAuthorId(db, pullRequest),
    selectPossibleReviewers: (db) => reviews.selectPossibleReviewers(db, busy, [user, id]),
    replaceReviewRequests: (db) =>
      reviews.replaceReviewRequests(db, key, [{ id, userId: user, name: 'x' }], NOW),
    deleteReviewRequests: (db) => reviews.deleteReviewRequests(db, pullRequest, [user]),
  },
  'pull-request-people-store': {
    selectPullRequestPeople: (db) => people.selectPullRequestPeople(db, [pullRequest, id]),
    selectCommentThreads: (db) => people.selectCommentThreads(db, [pullRequest, id]),
    selectPeopleWithAccess: (db) =>
      people.selectPeopleWithAccess(db, [{ pullRequestId: pullRequest, userId: user }]),
  },
  'pull-request-subject-store': {
    selectEventPullRequests: (db) => subjects.selectEventPullRequests(db, [pullRequest, id]),
    selectEventRepositories: (db) => subjects.selectEventRepositories(db, [pullRequest, id]),
    selectPullRequestComments: (db) => subjects.selectPullRequestComments(db, [pullRequest, id]),
  },
  'discussion-store': {
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
    selectSameReply: (db) =>
      discussions.selectSameReply(db, { discussionId: pullRequest, userId: user, body: 'x' }),
    selectComment: (db) => discussions.selectComment(db, pullRequest, id),
    updateCommentBody: (db) =>
      discussions.updateCommentBody(db, id, { body: 'y', editedAt: NOW, sending: 'none' }),
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
    claimUnjudged: (db) => judgements.claimUnjudged(db, 200),
  },
  'review-run-store': {
    claimDueReviews: (db) => runs.claimDueReviews(db, 100),
    selectRaised: (db) => runs.selectRaised(db, pullRequest),
    selectOwnVerdict: (db) => runs.selectOwnVerdict(db, pullRequest),
    dismissVerdict: (db) => runs.dismissVerdict(db, pullRequest, { at: NOW, isSent: true }),
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
    selectPausedChecks: (db) => decisions.selectPausedChecks(db, busy),
    selectDecider: (db) => decisions.selectDecider(db, organizationId, pullRequest),
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
  'SERVICE_NAME',
  ...['insertPullRequestRow', 'summariesFor', 'insertVerdict', 'insertConversationComment'],
  ...['insertDiscussion', 'insertComment', 'insertRun', 'insertCandidates', 'insertDecision'],
  'insertAgentFindings',
];

describe.each(Object.entries(QUERIES))('%s', (_store, functions) => {
  it.each(Object.entries(functions))('%s is served by indexes and reads few rows', async (name, run) => {
    const explained = await explainEach(connection, run);
    expect(explained.length).toBeGreaterThan(0);
    for (const { plan, sql } of explained) {
      expect({ sql, scanned: tablesScanned(plan) }).toEqual({ sql, scanned: [] });
      expect({
        sql,
        few: rowsRead(plan) <= (MAX_ROWS[name] ?? MAX_ROWS_READ),
        read: rowsRead(plan),
      }).toMatchObject({
        few: true,
      });
    }
  });
});

it('covers every store function', () => {
  const stores = [
    agents,
    decisions,
    lists,
    figures,
    trials,
    parts,
    people,
    plainGit,
    readers,
    rows,
    reports,
    reviews,
    runs,
    subjects,
    discussions,
    judgements,
  ];
  const functions = stores.flatMap((store) => Object.keys(store));
  const listed = Object.values(QUERIES).flatMap((each) => Object.keys(each));
  expect([...listed, ...OTHERS].sort()).toEqual(functions.sort());
});
