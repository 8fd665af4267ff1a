/** Puts each pull request once into the inbox of those who watch its repository, or a path that it changes. */
import { setImmediate } from 'node:timers/promises';
import { matchPaths } from '../../engines/review/index.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import type { CodeReader } from '../../platform/core/ports/code-reader.ts';
import type { MailServer } from '../../platform/core/ports/mail-server.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { type Db, isOutage } from '../../platform/db/index.ts';
import { insertInboxItems } from '../inbox/index.ts';
import { mailInboxItems } from '../mail/index.ts';
import { BY_SERVICE, withPullRequestAs } from '../pull-requests/index.ts';
import { type DuePullRequest, selectDue, selectNewestEvent, selectRecipients } from './due-watch-store.ts';

const AT_ONCE = 100;
const MAX_MS = 5 * 60_000;
const MAX_CHANGED_PATHS = 20_000;

export interface WatchServices {
  code: Pick<CodeReader, 'compare'>;
  log: Log;
  /** Without it, no mail is sent. */
  mail?: MailServer | undefined;
  announce(topic: string): void;
}

export async function notifyWatchers(db: Db, now: Date, services: WatchServices): Promise<void> {
  // One after the other by ID: those that fail each time must not keep the others from their turn.
  for (let after: string | null = null; ; ) {
    const due: DuePullRequest[] = await selectDue(db, { after, limit: AT_ONCE });
    for (const pullRequest of due) await notifyOrLog(db, now, services, pullRequest);
    if (due.length < AT_ONCE) return;
    after = due.at(-1)!.id;
  }
}

async function notifyOrLog(
  db: Db,
  now: Date,
  services: WatchServices,
  pullRequest: DuePullRequest,
): Promise<void> {
  try {
    await notify(db, now, services, pullRequest);
  } catch (error) {
    if (isOutage(error)) throw error;
    services.log.warn(
      { err: error, pullRequestId: pullRequest.id },
      'the watchers of a pull request could not be notified',
    );
  }
}

async function notify(db: Db, now: Date, services: WatchServices, due: DuePullRequest): Promise<void> {
  const { announce, mail } = services;
  const watchIds = await matchingWatches(services, due);
  const source = { ...BY_SERVICE, organizationId: due.organizationId };
  await withPullRequestAs({ db, announce }, source, due.id, now, async (change) => {
    const { head_commit, state, watched_head } = change.pullRequest;
    // Another worker was faster, or there is a newer head, which is due itself.
    if (state !== 'open' || head_commit !== due.head || watched_head === due.head) return;
    change.set({ watched_head: due.head });
    const eventNumber = await selectNewestEvent(change.db, due.id);
    if (watchIds.length === 0 || eventNumber === undefined) return;
    const items = (await selectRecipients(change.db, due.id, watchIds)).map(({ isOwn, userId }) => ({
      id: uuidv7(),
      organizationId: due.organizationId,
      userId,
      subjectKind: 'pull_request' as const,
      subjectId: due.id,
      eventNumber,
      kind: isOwn ? ('watched' as const) : ('team_watched' as const),
      at: now,
    }));
    await insertInboxItems(change.db, items);
    const itemIds = items.map(({ id }) => id);
    if (mail) await mailInboxItems(change.db, itemIds, now);
  });
}

/** Those of everything, and those with a path that is changed, at its old place too if it was moved. */
async function matchingWatches({ code, log }: WatchServices, due: DuePullRequest): Promise<string[]> {
  const { head, mergeBase, organizationId, repositoryId, watches } = due;
  const all = watches.filter(({ paths }) => paths.length === 0);
  const some = watches.filter(({ paths }) => paths.length > 0);
  let changed: string[] = [];
  if (some.length > 0 && mergeBase !== null) {
    const caller = { organizationId, userId: 'service', credentialId: 'service' };
    const call = { caller, signal: AbortSignal.timeout(MAX_MS) };
    try {
      const range = { from: mergeBase, to: head, limit: MAX_CHANGED_PATHS };
      const { files } = await code.compare('listChanges', repositoryId, range, call);
      changed = files.flatMap(({ oldPath, path }) => (oldPath === null ? [path] : [oldPath, path]));
    } catch (error) {
      // Commits that are gone stay gone.
      if (!(error instanceof Problem && error.code === 'ref_not_found')) throw error;
      log.warn({ err: error, pullRequestId: due.id }, 'the changed paths of a pull request are gone');
    }
  }
  const matched: typeof some = [];
  for (const watch of some) {
    if (changed.some(matchPaths(watch.paths))) matched.push(watch);
    // Many watches of many paths must not hold up everything else.
    await setImmediate();
  }
  return [...all, ...matched].map(({ id }) => id);
}
