/**
 * When a new version changes the text that a comment quotes, the comment is marked as addressed in that version.
 *
 * Runs one version at a time and independently of everything else a new version triggers. Comparing long texts is slow,
 * so it happens without a lock on the plan, and if it fails, only the marks are missing.
 */

import { differsInWhiteSpaceOnly } from '../../../engines/anchors/index.ts';
import type { Log } from '../../../platform/core/telemetry/log.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import { type Db, inTransaction, isOutage } from '../../../platform/db/index.ts';
import { BY_SERVICE } from '../../events/index.ts';
import { PlanChange } from '../changes/change-plan.ts';
import { markCommentsAddressed, selectUnaddressedComments } from '../store/comment-store.ts';
import {
  claimUncomparedVersion,
  lockPlanById,
  markVersionCompared,
  selectContents,
  selectVersion,
  type UncomparedVersion,
} from '../store/plan-store.ts';
import { type AnchoredComment, type PlacingServices, placeComments } from './place-comments.ts';

const COMMENTS_AT_ONCE = 500;

interface Text {
  id: string;
  content: string;
}

interface AddressedComment {
  id: string;
  old: string;
  new: string;
}

export interface MarkServices extends Pick<PlacingServices, 'state'> {
  announce(planId: string): void;
  log: Log;
}

/** Processes all versions that have not been compared yet. Calls `announce` for each plan whose comments were marked. */
export async function markAddressedComments(db: Db, now: Date, services: MarkServices): Promise<void> {
  for (;;) {
    const outcome = await inTransaction(db, async (transaction) => {
      const version = await claimUncomparedVersion(transaction);
      return version && { version, marked: await compareVersion(services, transaction, version, now) };
    });
    if (!outcome) return;
    if (outcome.marked) services.announce(outcome.version.plan_id);
  }
}

async function compareVersion(
  { log, state }: MarkServices,
  db: Db,
  version: UncomparedVersion,
  now: Date,
): Promise<boolean> {
  let addressed: AddressedComment[] = [];
  try {
    addressed = version.unchanged || version.version === 1 ? [] : await findAddressed({ db, state }, version);
  } catch (error) {
    // Retry when PostgreSQL is unavailable; an error caused by the texts would happen again.
    if (isOutage(error)) throw error;
    log.error({ err: error, versionId: version.id }, 'could not compare comments with a version');
  }
  await markVersionCompared(db, version.id, now);
  if (addressed.length === 0) return false;
  const change = new PlanChange(db, await lockPlanById(db, version.plan_id), now);
  await markCommentsAddressed(db, version.plan_id, version.id, addressed);
  const commentIds = addressed.slice(0, COMMENTS_AT_ONCE).map(({ id }) => id);
  change.record('comments_addressed', { version: version.version, versionId: version.id, commentIds });
  await change.write(BY_SERVICE);
  return true;
}

/** The comments written before this version whose quoted text this version changed. */
async function findAddressed(
  { db, state }: Omit<PlacingServices, 'call'>,
  version: UncomparedVersion,
): Promise<AddressedComment[]> {
  const { organization_id: organizationId, plan_id: planId } = version;
  const call: Call = {
    caller: { organizationId, userId: 'service', credentialId: 'service' },
    signal: new AbortController().signal,
  };
  const found: AddressedComment[] = [];
  let texts: { previous: Text; current: Text } | undefined;
  for (let after: string | undefined; ; ) {
    const comments = await selectUnaddressedComments(db, planId, {
      madeBefore: version,
      afterId: after,
      limit: COMMENTS_AT_ONCE,
    });
    if (comments.length === 0) return found;
    after = comments.at(-1)!.id;
    texts ??= await textsAround(db, version);
    found.push(...(await addressedAmong({ call, db, state }, planId, comments, texts)));
  }
}

async function textsAround(db: Db, version: UncomparedVersion): Promise<{ previous: Text; current: Text }> {
  const previous = (await selectVersion(db, version.plan_id, version.version - 1))!;
  const current = (await selectContents(db, version.plan_id, [version.id])).get(version.id)!;
  return { previous, current: { id: version.id, content: current.content } };
}

async function addressedAmong(
  services: PlacingServices,
  planId: string,
  comments: AnchoredComment[],
  { previous, current }: { previous: Text; current: Text },
): Promise<AddressedComment[]> {
  const [then, now] = [
    await placeComments(services, planId, comments, previous),
    await placeComments(services, planId, comments, current),
  ];
  return comments.flatMap(({ id }) => {
    const [before, after] = [then.get(id)?.placement, now.get(id)?.placement];
    if (!before || !after || before.result === 'orphaned') return [];
    const old = previous.content.slice(before.start, before.end);
    const words = after.result === 'orphaned' ? '' : current.content.slice(after.start, after.end);
    return old === words || differsInWhiteSpaceOnly(old, words) ? [] : [{ id, old, new: words }];
  });
}
