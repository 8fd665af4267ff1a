/** When a new version changes the words that a comment points to, the comment is marked addressed in that version. */
import type { Db } from '../db/index.ts';
import { PlanChange } from './change-plan.ts';
import { markCommentsAddressed, selectUnaddressedComments } from './comment-store.ts';
import { placeComments } from './place-comments.ts';
import type { PlanEventHandler } from './plan-event-outbox.ts';
import { lockPlanById, selectContents } from './plan-store.ts';
import { differsInWhiteSpaceOnly } from './port-anchor.ts';
import type { PlacedQuote } from './text-work.ts';

const COMMENTS_AT_ONCE = 500;

/** Gives the plans of which comments were marked, so that whoever watches them can be told. */
export const markAddressedComments: PlanEventHandler = async (db, events, now) => {
  const touched: string[] = [];
  for (const { data, kind, planId } of events) {
    if (kind !== 'version_added' || data.unchanged) continue;
    const version = { version: data.version as number, versionId: data.versionId as string };
    if (await markInVersion(db, planId, version, now)) touched.push(planId);
  }
  return touched;
};

async function markInVersion(
  db: Db,
  planId: string,
  { version, versionId }: { version: number; versionId: string },
  now: Date,
): Promise<boolean> {
  const marked: string[] = [];
  let target: { id: string; content: string } | undefined;
  for (let after: string | undefined; ; ) {
    const comments = await selectUnaddressedComments(db, planId, version, after, COMMENTS_AT_ONCE);
    if (comments.length === 0) break;
    after = comments.at(-1)!.id;
    target ??= { id: versionId, ...(await selectContents(db, planId, [versionId])).get(versionId)! };
    const placed = await placeComments(db, planId, comments, target);
    const addressed = [...placed].flatMap(([id, place]) => {
      const texts = changedWords(place);
      return texts ? [{ id, ...texts }] : [];
    });
    if (addressed.length > 0) await markCommentsAddressed(db, planId, versionId, addressed);
    marked.push(...addressed.map(({ id }) => id));
  }
  if (marked.length === 0) return false;
  const change = new PlanChange(db, await lockPlanById(db, planId), now);
  change.record('comments_addressed', { version, versionId, commentIds: marked.slice(0, COMMENTS_AT_ONCE) });
  await change.write({ kind: 'service', userId: null });
  return true;
}

/** The words before and after; undefined when the same words are still there. */
function changedWords({ placement, quote }: PlacedQuote): { old: string; new: string } | undefined {
  if (placement.result === 'orphaned') return { old: quote, new: '' };
  if (placement.result !== 'edited') return undefined;
  const { newText, oldText } = placement;
  return differsInWhiteSpaceOnly(oldText, newText) ? undefined : { old: oldText, new: newText };
}
