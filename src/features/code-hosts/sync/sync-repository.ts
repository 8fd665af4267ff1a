/**
 * Lists the pull requests of a repository on its code host: first to import them, the open ones before all others, then to find what
 * changed since. Each page is recorded before the next is read, so a crash or a limit of the host only pauses it. Pull requests are
 * here as soon as they were listed; their conversations follow, one job each.
 */
import { type CodeHost, isHostError, type PullRequest } from '../../../engines/code-hosts/index.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { rememberAccounts } from '../accounts/host-account-store.ts';
import { clearHostProblem } from '../connections/code-host-store.ts';
import { noteHostFailure } from '../connections/host-failure.ts';
import { openCodeHost } from '../connections/open-code-host.ts';
import { applyPullRequest } from './apply-pull-request.ts';
import { withHostPullRequest } from './host-pull-request.ts';
import { maskPullRequests } from './mask-host-state.ts';
import {
  askForChanged,
  claimList,
  failList,
  finishList,
  type ListClaim,
  type ListRow,
  releaseList,
  saveListProgress,
  selectKnownNumbers,
} from './repository-sync-store.ts';
import type { SyncServices } from './sync-pull-request.ts';

/** With webhooks, listing only finds what they lost. */
const LIST_EVERY_MS = { webhooks: 15 * 60_000, polling: 60_000 };
/** Hosts' times have seconds, and changes of one second can appear one after the other. */
const OVERLAP_MS = 2 * 60_000;
const GONE_DELAY_MS = 60 * 60_000;

export async function syncRepository(
  services: SyncServices,
  repositoryId: string,
  signal: AbortSignal,
): Promise<'listed' | 'failed' | 'not_taken' | 'lost'> {
  const { db, log } = services;
  const claim = { repositoryId, claim: uuidv7() };
  const row = await claimList(db, claim);
  if (!row) return 'not_taken';
  try {
    const host = openCodeHost(
      services,
      { id: row.host_id, kind: row.host_kind as never, url: row.host_url, credential: row.host_credential },
      signal,
    );
    const isHeld =
      row.import_step === 'done'
        ? await poll(services, host, claim, row)
        : await importAll(services, host, claim, row);
    if (!isHeld) return 'lost';
    await clearHostProblem(db, row.host_id);
    await finishList(db, claim, LIST_EVERY_MS[row.webhooks ? 'webhooks' : 'polling']);
    return 'listed';
  } catch (error) {
    if (!isHostError(error)) {
      await releaseList(db, claim).catch(() => undefined);
      throw error;
    }
    log.info({ err: error, codeHostId: row.host_id, repositoryId }, 'pull requests could not be listed');
    const decision = await noteHostFailure(db, row.host_id, error, {
      failures: row.failures,
      now: services.now(),
    });
    if (decision.kind === 'host') await releaseList(db, claim);
    else await failList(db, claim, { problem: error.message, delayMs: decision.delayMs ?? GONE_DELAY_MS });
    return 'failed';
  }
}

/** Changes during the import are found by polling from the time when it began. */
async function importAll(
  services: SyncServices,
  host: CodeHost,
  claim: ListClaim,
  row: ListRow,
): Promise<boolean> {
  let { import_cursor: cursor, import_step: step } = row;
  if (
    row.seen_until === null &&
    !(await saveListProgress(services.db, claim, { seen_until: await newestChange(host, row) }))
  )
    return false;
  while (step !== 'done') {
    const page = await host.pullRequests(row.full_name, {
      state: step === 'open' ? 'open' : 'all',
      order: 'created',
      ...(cursor !== null && { page: cursor }),
    });
    if (page.unchanged) throw new Error('A list without an etag is never unchanged.');
    await createRows(services, row, page.items);
    await askForChanged(services.db, row.repository_id, page.items);
    cursor = page.next;
    if (cursor === null) step = step === 'open' ? 'all' : 'done';
    const isHeld = await saveListProgress(services.db, claim, {
      import_step: step,
      import_cursor: cursor,
      imported: page.items.map(({ number }) => number),
      ...(step === 'done' && { imported_at: services.now() }),
    });
    if (!isHeld) return false;
    services.announce(row.repository_id);
  }
  return true;
}

/** By the host's clock: before this, everything is found by the import. */
async function newestChange(host: CodeHost, { full_name }: ListRow): Promise<Date> {
  const page = await host.pullRequests(full_name, { state: 'all', order: 'updated' });
  return (page.unchanged ? undefined : page.items[0]?.updatedAt) ?? new Date(0);
}

async function poll(
  services: SyncServices,
  host: CodeHost,
  claim: ListClaim,
  row: ListRow,
): Promise<boolean> {
  const seen = row.seen_until?.getTime() ?? 0;
  const query = { state: 'all', order: 'updated', since: new Date(Math.max(0, seen - OVERLAP_MS)) } as const;
  let cursor: string | null | undefined;
  let newest = seen;
  let etag = row.etag;
  while (cursor !== null) {
    const isFirst: boolean = cursor === undefined;
    const page = await host.pullRequests(row.full_name, {
      ...query,
      ...(isFirst ? etag !== null && { etag } : { page: cursor! }),
    });
    if (page.unchanged) return true;
    if (isFirst) etag = page.etag;
    await createRows(services, row, page.items);
    await askForChanged(services.db, row.repository_id, page.items);
    newest = Math.max(newest, ...page.items.map(({ updatedAt }) => updatedAt.getTime()));
    cursor = page.next;
    if (!(await saveListProgress(services.db, claim, {}))) return false;
  }
  // Written last: after a crash on a later page, this list is read again.
  return saveListProgress(services.db, claim, { seen_until: new Date(newest), etag });
}

/** Creates rows for pull requests that are new here, with what the list says about them. */
async function createRows(services: SyncServices, row: ListRow, listed: PullRequest[]): Promise<void> {
  const {
    connected_at,
    full_name: fullName,
    host_id,
    organization_id: organizationId,
    repository_id: repositoryId,
  } = row;
  const known = await selectKnownNumbers(
    services.db,
    repositoryId,
    listed.map(({ number }) => number),
  );
  const fresh = listed.filter(({ number }) => !known.has(number));
  await maskPullRequests(fresh);
  const accounts = await rememberAccounts(
    services.db,
    { id: host_id, organizationId },
    fresh.flatMap(({ author, requestedReviewers }) => [...(author ? [author] : []), ...requestedReviewers]),
  );
  const facts = { mergeBase: null, forced: null };
  for (const pullRequest of fresh) {
    const place = { organizationId, repositoryId, fullName, isPast: pullRequest.createdAt < connected_at };
    await withHostPullRequest(services, place, pullRequest, accounts, async (change) => {
      await applyPullRequest(change, pullRequest, { accounts, codeHostId: host_id, facts, fullName });
    });
  }
}
