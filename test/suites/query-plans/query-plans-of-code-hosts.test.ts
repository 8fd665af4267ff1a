/**
 * The queries of code hosts that run for every webhook, reading and check, explained on 20,000 repositories and 40,000 pull requests, of
 * which one host has half: each is served by indexes and reads few rows.
 */
import * as checks from '../../../src/features/code-hosts/connections/host-check-store.ts';
import * as health from '../../../src/features/code-hosts/connections/host-health-store.ts';
import * as approvals from '../../../src/features/code-hosts/sync/approval-check-store.ts';
import * as lists from '../../../src/features/code-hosts/sync/repository-sync-store.ts';
import * as syncs from '../../../src/features/code-hosts/sync/sync-store.ts';
import * as webhooks from '../../../src/features/code-hosts/webhooks/webhook-store.ts';
import {
  countFailedHostWebhooks,
  hasCodeHost,
  selectFailingHosts,
} from '../../../src/features/system/organization-check-store.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import { withConnection } from '../../../src/platform/db/index.ts';
import { type Queries, testCoverage, testQueries } from '../../helpers/database/check-query-plans.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';
import { finishFilling, numberRows, startFilling } from '../../helpers/database/fill-quickly.ts';

const MAX_ROWS_READ = 1500;
const connection = await createTestDatabase();
const { host, repository } = await withConnection(connection, async (client) => {
  await startFilling(client);
  const one = await numberRows(client, 20_000);
  await client.query(`INSERT INTO organizations SELECT id, 'O' || n, now() FROM numbered WHERE n <= 1000`);
  await client.query(`INSERT INTO code_hosts (id, organization_id, kind, url, created_at, updated_at, credential, credential_kind,
      webhook_secret, next_check_at, repositories_listed_at)
    SELECT id, id, 'gitea', 'https://example.com', now(), now(), 'x', 'token', 'x', now() + interval '1 hour', now()
    FROM numbered WHERE n <= 1000`);
  await client.query(`INSERT INTO repositories (id, organization_id, name, created_at, url, code_host_id)
    SELECT r.id, h.id, 'owner/r' || r.n, now(), 'https://example.com/r', h.id
    FROM numbered r JOIN numbered h ON h.n = CASE WHEN r.n % 2 = 0 THEN 1 ELSE r.n % 1000 + 1 END WHERE r.n <= 20000`);
  await client.query(`INSERT INTO code_host_repositories (repository_id, organization_id, code_host_id, host_repository_id, full_name,
      is_private, connected_at, next_list_at, access_read_at, webhook_state, webhook_seen_at)
    SELECT r.id, r.organization_id, r.code_host_id, r.name, r.name, false, now(), now() + interval '1 hour', now(), 'created', now()
    FROM repositories r`);
  await client.query(`INSERT INTO pull_requests (id, organization_id, repository_id, number, origin, title, description, state,
      author_kind, author_name, head_branch, base_branch, head_count, labels, created_at, updated_at, last_event, discussion_count,
      open_discussion_count, comment_count)
    SELECT p.id, r.organization_id, r.id, p.n, 'host', 'T', '', 'merged', 'person', 'x', 'b', 'main', 1, '{}', now(), now(), 1, 0, 0, 0
    FROM numbered p JOIN numbered o ON o.n = p.n / 2 + 1 JOIN repositories r ON r.id = o.id`);
  await client.query(`INSERT INTO pull_request_syncs (repository_id, number, organization_id, code_host_id, priority, due_at, asked_at)
    SELECT p.repository_id, p.number, p.organization_id, r.code_host_id, 0, CASE WHEN p.number % 3 = 0 THEN now() END, now()
    FROM pull_requests p JOIN repositories r ON r.id = p.repository_id`);
  await client.query(`INSERT INTO pull_request_verdicts (id, pull_request_id, organization_id, name, verdict, created_at, sending)
    SELECT id, id, organization_id, 'x', 'approved', now(), 'sent' FROM pull_requests`);
  await client.query(`INSERT INTO pull_request_comments (id, pull_request_id, organization_id, author_kind, author_name, body, created_at, sending)
    SELECT id, id, organization_id, 'person', 'x', 'x', now(), 'sent' FROM pull_requests`);
  await client.query(`INSERT INTO discussions (id, organization_id, repository_id, pull_request_id, file, side, start_line, end_line,
      commented_code, author_kind, author_name, created_at, updated_at, status, status_cause, status_at, judged_from, sending)
    SELECT id, organization_id, repository_id, id, 'a.ts', 'new', 1, 1, 'x', 'person', 'x', now(), now(), 'open', 'opened', now(), 1, 'sent'
    FROM pull_requests`);
  await client.query(`INSERT INTO review_reports SELECT id, organization_id, repeat('a', 40), 'success', 't', 't', NULL, NULL, 'sent'
    FROM pull_requests`);
  // One in 200 is open; half of those have no check yet.
  await client.query(
    `UPDATE pull_requests SET state = 'open', head_commit = repeat('a', 40) WHERE number % 200 IN (0, 1)`,
  );
  await client.query(`INSERT INTO approval_checks (pull_request_id, organization_id, evaluated_event, evaluated_at, state, commit, title,
      text, sending)
    SELECT id, organization_id, last_event, now() + interval '1 day', 'success', coalesce(head_commit, ''), 't', 't', 'sent' FROM pull_requests
    WHERE number % 200 <> 0`);
  await client.query(`INSERT INTO plans (id, organization_id, series_id, status, title, agent_vendor, created_by, created_at,
      updated_at, version, content_since, last_event, comment_count)
    SELECT id, organization_id, id, 'approved', 'T', 'x', id, now(), now(), 1, 1, 1, 0 FROM pull_requests`);
  await client.query(`INSERT INTO plan_pull_requests SELECT id, id, organization_id, repository_id, 'x', number, id, now()
    FROM pull_requests`);
  await client.query(`INSERT INTO commit_statuses SELECT id, organization_id, repository_id, repeat('a', 40), 'ci' || number,
    'success', '', NULL, 'key', id, NULL, NULL, now() FROM pull_requests`);
  await client.query(`INSERT INTO merge_rules (id, organization_id, pattern, approvals, owners, statuses, resolved_discussions,
      approved_plan, keep_approvals, allow_only_person, merge_user_ids, updated_at)
    SELECT id, id, 'main', 1, false, '[]', false, false, false, false, '{}', now() FROM numbered WHERE n <= 500`);
  await client.query(`INSERT INTO code_host_selections (id, organization_id, code_host_id, pattern, include_new, created_at, finished_at)
    SELECT gen_random_uuid(), id, id, n, false, now(), now() FROM numbered WHERE n <= 1000`);
  await finishFilling(client);
  return { host: await one(1), repository: await one(2) };
});

const claim = { repositoryId: repository, number: 3, claim: uuidv7() };
const note = {
  codeHostId: host,
  kind: 'pull_request',
  hostRepositoryId: 'owner/r2',
  fullName: 'owner/r2',
  number: 3,
  commit: null,
} as const;
const NOTES: webhooks.WebhookNote[] = [
  note,
  { ...note, hostRepositoryId: null },
  { ...note, kind: 'push' },
  { ...note, kind: 'statuses', commit: 'c'.repeat(40) },
  { ...note, kind: 'access', fullName: 'owner/renamed' },
];
const listed = { number: 3, state: 'open', updatedAt: new Date() } as never;

const QUERIES: Queries = {
  'webhook-store': {
    selectHostsToVerify: (db) => webhooks.selectHostsToVerify(db, [host]),
    noteWebhookChanges: (db) => webhooks.noteWebhookChanges(db, NOTES),
  },
  'sync-store': {
    askForSyncs: (db) => syncs.askForSyncs(db, repository, [3]),
    askForWaiting: (db) => syncs.askForWaiting(db),
    lockDueSyncs: (db) => syncs.lockDueSyncs(db, 20),
    markSyncsQueued: (db) => syncs.markSyncsQueued(db, [claim]),
    claimSync: (db) => syncs.claimSync(db, claim),
    renewSyncClaim: (db) => syncs.renewSyncClaim(db, claim),
    finishSync: (db) =>
      syncs.finishSync(db, claim, { hostUpdatedAt: null, againMs: 1000, statusesAgainMs: 1000 }),
    finishStatusesSync: (db) => syncs.finishStatusesSync(db, claim, { statusesAgainMs: 1000 }),
    failSync: (db) => syncs.failSync(db, claim, { problem: 'x', delayMs: 1000 }),
    releaseSync: (db) => syncs.releaseSync(db, claim),
  },
  'approval-check-store': {
    selectDueApprovalChecks: (db) => approvals.selectDueApprovalChecks(db, 100),
    selectApprovalCheck: (db) => approvals.selectApprovalCheck(db, repository),
    upsertApprovalCheck: (db) =>
      approvals.upsertApprovalCheck(
        db,
        { id: repository, organization_id: host, last_event: '1', head_commit: 'a'.repeat(40) },
        { state: 'success', title: 't', text: 't' },
        new Date(),
      ),
    markApprovalCheckSent: (db) =>
      approvals.markApprovalCheckSent(
        db,
        repository,
        { state: 'success', commit: 'a'.repeat(40), title: 't', text: 't' },
        null,
      ),
  },
  'repository-sync-store': {
    lockDueLists: (db) => lists.lockDueLists(db, 20),
    markListsQueued: (db) => lists.markListsQueued(db, [repository]),
    claimList: (db) => lists.claimList(db, claim),
    saveListProgress: (db) => lists.saveListProgress(db, claim, {}),
    finishList: (db) => lists.finishList(db, claim, 1000),
    failList: (db) => lists.failList(db, claim, { delayMs: 1000, problem: 'x' }),
    releaseList: (db) => lists.releaseList(db, claim),
    askForChanged: (db) => lists.askForChanged(db, repository, [listed]),
    selectKnownNumbers: (db) => lists.selectKnownNumbers(db, repository, [3, 4]),
  },
  'host-check-store': {
    askForHostCheck: (db) => checks.askForHostCheck(db, host),
    markHostChecksQueued: (db) => checks.markHostChecksQueued(db, [host]),
    startHostCheck: (db) => checks.startHostCheck(db, host, 60),
    endHostCheck: (db) => checks.endHostCheck(db, host, false),
    markListed: (db) => checks.markListed(db, host, new Date()),
    writeWebhookState: (db) => checks.writeWebhookState(db, repository, 'created', null),
  },
  'host-health-store': {
    lockIdleCodeHosts: (db) => health.lockIdleCodeHosts(db, [host]).execute(),
    lockAuthorized: (db) => health.lockAuthorized(db, host),
    markUnauthorized: (db) => health.markUnauthorized(db, host, { problem: 'x', last_event: '1' }),
    markRateLimited: (db) => health.markRateLimited(db, host, 1000),
    markUnavailable: (db) => health.markUnavailable(db, host, 'x'),
  },
  // A host has the ID of its organization here.
  'organization-check-store': {
    hasCodeHost: (db) => hasCodeHost(db, host),
    selectFailingHosts: (db) => selectFailingHosts(db, host),
  },
};

/** Asks every host, of which there are few, for its most urgent ones. */
const SCANS: Record<string, string[]> = {
  lockDueSyncs: ['code_hosts'],
  // An organization has a few.
  selectDueApprovalChecks: ['merge_rules'],
  // There are none here; an index has the checks that wait, and removals are few.
  askForWaiting: ['approval_checks', 'comment_removals'],
};
/** A few rows of each of the 1,000 hosts, and of each of the 400 open pull requests. */
const MAX_ROWS: Record<string, number> = { lockDueSyncs: 50_000, selectDueApprovalChecks: 4000 };
/** They compare times of all hosts, or of all repositories of one, which is what they are for. */
const OTHERS = ['lockDueHosts', 'selectAccessDue', 'selectWebhookDue', 'countFailedHostWebhooks'];

testQueries(connection, QUERIES, { maxRowsRead: MAX_ROWS_READ, maxRowsOf: MAX_ROWS, scans: SCANS });

const STORES = [approvals, checks, health, lists, syncs, webhooks];
const ADMIN_CHECKS = { hasCodeHost, selectFailingHosts, countFailedHostWebhooks };
testCoverage(QUERIES, [...STORES, ADMIN_CHECKS], OTHERS);
