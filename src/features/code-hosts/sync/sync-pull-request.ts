/**
 * Syncs one pull request with its code host, both ways: reads it there, sends what was written here, reads it again, and
 * applies what the host has in one transaction. Doing it twice, or on two nodes, changes nothing more.
 */
import { type CodeHost, isHostError, type PullRequestRef } from '../../../engines/code-hosts/index.ts';
import type { Log } from '../../../platform/core/telemetry/log.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { Db } from '../../../platform/db/index.ts';
import { deleteRemovals, recordMergeability, selectRemovals } from '../../pull-requests/index.ts';
import { refreshReport } from '../../reviews/index.ts';
import { rememberAccounts } from '../accounts/host-account-store.ts';
import { clearHostProblem } from '../connections/code-host-store.ts';
import { noteHostFailure } from '../connections/host-failure.ts';
import { type HostServices, openCodeHost } from '../connections/open-code-host.ts';
import { applyPullRequest, type HeadFacts } from './apply-pull-request.ts';
import { applyThreads } from './apply-threads.ts';
import { applyVerdicts } from './apply-verdicts.ts';
import { findPosted, type HostState, keyOf } from './find-posted.ts';
import { type HostPullRequest, withHostPullRequest } from './host-pull-request.ts';
import { maskHostState } from './mask-host-state.ts';
import { readPosted } from './posted-text.ts';
import { type CodeOfRepository, readHeadFacts, readThreadCode } from './read-thread-code.ts';
import { sendApprovalCheck } from './send-approval-check.ts';
import { type RemovalResult, sendRemovals, withoutRemoved } from './send-removals.ts';
import { sendReport } from './send-report.ts';
import { type SendResult, sendWaiting } from './send-waiting.ts';
import {
  countParts,
  type StoredState,
  selectHead,
  selectOpenFindingComments,
  selectPullRequestId,
  selectStoredState,
} from './stored-state-store.ts';
import { syncStatuses, syncStatusesOfKnownHead } from './sync-statuses.ts';
import {
  type ClaimedSync,
  claimSync,
  failSync,
  finishStatusesSync,
  finishSync,
  releaseSync,
  renewSyncClaim,
  type SyncKey,
  type SyncRow,
} from './sync-store.ts';

export interface SyncServices extends HostServices {
  db: Db;
  code: CodeOfRepository['code'];
  log: Log;
  now(): Date;
  announce(topic: string): void;
  /** Without a trailing slash. */
  baseUrl(): string;
}

/** Renewed this often while a host is slow. */
const RENEW_EVERY_MS = 15_000;

export async function syncPullRequest(
  services: SyncServices,
  key: SyncKey,
  signal: AbortSignal,
): Promise<'synced' | 'failed' | 'not_taken' | 'lost'> {
  const { db, log } = services;
  const claim = { ...key, claim: uuidv7() };
  const row = await claimSync(db, claim);
  if (!row) return 'not_taken';
  const lost = new AbortController();
  const renewing = setInterval(() => {
    void renewSyncClaim(db, claim).then(
      (isHeld) => isHeld || lost.abort(new Error('Another node took over.')),
      () => undefined,
    );
  }, RENEW_EVERY_MS);
  try {
    const outcome = await reconcile(services, claim, row, AbortSignal.any([signal, lost.signal]));
    if (outcome === 'lost') {
      await releaseSync(db, claim);
      return 'lost';
    }
    await clearHostProblem(db, row.host_id);
    await (outcome.isWhole ? finishSync(db, claim, outcome) : finishStatusesSync(db, claim, outcome));
    return 'synced';
  } catch (error) {
    if (lost.signal.aborted) return 'lost';
    if (!isHostError(error)) {
      await releaseSync(db, claim).catch(() => undefined);
      throw error;
    }
    log.info(
      { err: error, codeHostId: row.host_id, ...key },
      'a pull request could not be read from its host',
    );
    const decision = await noteHostFailure(db, row.host_id, error, {
      failures: row.failures,
      now: services.now(),
    });
    if (decision.kind === 'host') await releaseSync(db, claim);
    else await failSync(db, claim, { problem: error.message, delayMs: decision.delayMs });
    return 'failed';
  } finally {
    clearInterval(renewing);
  }
}

/** Another node took over: what was read here may be outdated. */
class ClaimLost extends Error {}

type Outcome =
  | { isWhole: true; hostUpdatedAt: Date; againMs: number | null; statusesAgainMs: number | null }
  /** Only the statuses were due. */
  | { isWhole: false; statusesAgainMs: number | null };

async function reconcile(
  services: SyncServices,
  claim: ClaimedSync,
  row: SyncRow,
  signal: AbortSignal,
): Promise<Outcome | 'lost'> {
  const { db } = services;
  const { number, repositoryId } = claim;
  const host = openCodeHost(
    services,
    { id: row.host_id, kind: row.host_kind as never, url: row.host_url, credential: row.host_credential },
    signal,
  );
  if (row.statuses_only)
    return { isWhole: false, statusesAgainMs: await syncStatusesOfKnownHead(services, host, claim, row) };
  const ref = { repository: row.full_name, number };
  const findings = await selectOpenFindingComments(db, repositoryId, number);
  const before = await readHost(host, ref, findings);
  const { ours, removed, sent, theirs } = await send(services, host, ref, {
    ...{ organizationId: row.organization_id, repositoryId },
    ...{ before, findings },
  });
  const isActive = theirs.pullRequest.state === 'open' || theirs.pullRequest.state === 'draft';
  const repository: CodeOfRepository = {
    code: services.code,
    repositoryId,
    call: {
      caller: { organizationId: row.organization_id, userId: 'service', credentialId: 'service' },
      signal,
    },
    mayFetch: isActive,
  };
  const known = ours && (await selectHead(db, ours.id));
  const facts = await readHeadFacts(repository, theirs.pullRequest, known);
  const code = await readThreadCode(repository, theirs.discussion.threads, {
    base: theirs.pullRequest.base.commit,
    ours: ours?.discussions ?? [],
  });
  const accounts = await rememberAccounts(
    db,
    { id: row.host_id, organizationId: row.organization_id },
    accountsIn(theirs),
  );
  const place: HostPullRequest = {
    organizationId: row.organization_id,
    repositoryId,
    fullName: row.full_name,
    // Events from before the repository was connected notify nobody.
    isPast: row.synced_at === null && theirs.pullRequest.createdAt < row.connected_at,
  };
  const isApplied = await withHostPullRequest(
    services,
    place,
    theirs.pullRequest,
    accounts,
    async (change) => {
      await applyPullRequest(change, theirs.pullRequest, {
        ...{ accounts, codeHostId: row.host_id, facts, fullName: row.full_name },
      });
      await recordMergeability(change, theirs.pullRequest.mergeability, null);
      const { head_commit: headCommit, id } = change.pullRequest;
      // Read again under the lock: people go on writing while the host is asked.
      const now = await selectStoredState(change.db, { id, headCommit });
      const { over, shown } = withoutRemoved(theirs, await selectRemovals(change.db, id), removed);
      await deleteRemovals(change.db, over);
      const posted = findPosted(now, shown);
      const applying = { change, ours: now, theirs: shown, posted, accounts, code, ...sent };
      await applyThreads(applying);
      await applyVerdicts(applying);
      await refreshReport(change);
      const counts = await countParts(change.db, id);
      const { pullRequest } = change;
      if (
        counts.discussion_count !== pullRequest.discussion_count ||
        counts.open_discussion_count !== pullRequest.open_discussion_count ||
        counts.comment_count !== pullRequest.comment_count
      )
        change.set(counts);
      // Last, because webhooks about this pull request wait for the row until the transaction ends.
      if (!(await renewSyncClaim(change.db, claim))) throw new ClaimLost();
    },
  ).catch((error: unknown) => {
    if (error instanceof ClaimLost) return false;
    throw error;
  });
  if (!isApplied) return 'lost';
  const seenAt = known?.seen_at ?? null;
  const { head, state } = theirs.pullRequest;
  return {
    isWhole: true,
    hostUpdatedAt: theirs.pullRequest.updatedAt,
    againMs: againAfter(row, theirs, facts, seenAt, services.now()),
    statusesAgainMs: await syncStatuses(services, host, claim, row, {
      ...{ commit: head.commit, state, isPast: place.isPast },
      seenAt: known?.head_commit === head.commit ? seenAt : null,
    }),
  };
}

/** With the reactions to these comments. */
async function readHost(host: CodeHost, ref: PullRequestRef, findings: Set<string>): Promise<HostState> {
  const pullRequest = await host.pullRequest(ref);
  const discussion = await host.discussion(ref, (comment) => findings.has(keyOf(comment)));
  return maskHostState({ pullRequest, discussion });
}

async function send(
  { baseUrl, db }: SyncServices,
  host: CodeHost,
  ref: PullRequestRef,
  {
    before,
    findings,
    organizationId,
    repositoryId,
  }: { organizationId: string; repositoryId: string; before: HostState; findings: Set<string> },
): Promise<{
  sent: SendResult;
  removed: RemovalResult;
  theirs: HostState;
  ours: StoredState | undefined;
}> {
  const id = await selectPullRequestId(db, repositoryId, ref.number);
  if (id === undefined)
    return {
      sent: { sent: new Map(), refused: new Map() },
      removed: { known: new Set(), refused: new Set(), isChanged: false },
      theirs: before,
      ours: undefined,
    };
  const ours = await selectStoredState(db, { id, headCommit: before.pullRequest.head.commit });
  const removed = await sendRemovals(db, host, ref, await selectRemovals(db, id), before);
  const sent = await sendWaiting(host, ref, ours, before, `${baseUrl()}/pull-requests/${id}`);
  const isDescribed = await sendReport(db, host, ref, {
    ...{ id, url: `${baseUrl()}/pull-requests/${id}`, description: before.pullRequest.body },
  });
  await sendApprovalCheck(db, host, ref, { id, organizationId, url: `${baseUrl()}/pull-requests/${id}` });
  const isChanged = sent.sent.size > 0 || isDescribed || removed.isChanged;
  const theirs = isChanged ? await readHost(host, ref, findings) : before;
  return { sent, removed, theirs, ours };
}

function accountsIn({ discussion, pullRequest }: HostState) {
  return [
    pullRequest.author,
    ...pullRequest.requestedReviewers,
    ...pullRequest.verdicts.map(({ account }) => account),
    ...discussion.threads.flatMap(({ comments, resolvedBy }) => [
      resolvedBy,
      ...comments.flatMap(({ author, thumbsDown }) => [author, ...thumbsDown]),
    ]),
    ...discussion.conversation.map(({ author }) => author),
  ].flatMap((account) => account ?? []);
}

const MINUTE_MS = 60_000;

/** Hosts don't report everything: GitLab and Gitea send no webhook when a thread is resolved, and any webhook can be lost. */
function againAfter(
  { host_kind, webhooks }: SyncRow,
  { discussion, pullRequest }: HostState,
  { mergeBase }: HeadFacts,
  headSeenAt: Date | null,
  now: Date,
): number | null {
  if (pullRequest.state !== 'open' && pullRequest.state !== 'draft') return null;
  const again = [6 * 60 * MINUTE_MS];
  if (discussion.threads.length > 0) again.push((webhooks && host_kind === 'github' ? 60 : 5) * MINUTE_MS);
  // No host reports reactions.
  if (discussion.threads.some(({ comments, resolved }) => !resolved && readPosted(comments[0]!.body)))
    again.push(15 * MINUTE_MS);
  // The host starts to find out when it is asked, and tells nobody when it has.
  if (pullRequest.mergeability === 'checking') again.push(MINUTE_MS / 2);
  if (pullRequest.mergeability === 'blocked') again.push(5 * MINUTE_MS);
  // The commits are not in our copy yet: it is being fetched, or never will be.
  if (mergeBase === null) {
    const ageMs = headSeenAt === null ? 0 : now.getTime() - headSeenAt.getTime();
    again.push(Math.max(MINUTE_MS / 2, ageMs));
  }
  return Math.min(...again);
}
