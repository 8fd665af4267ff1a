/** Approved plans become implemented when their pull requests are done: none known is open, and one was merged. */
import type { Db } from '../../../platform/db/index.ts';
import { BY_SERVICE } from '../../events/index.ts';
import { lockPlanById } from '../store/plan-store.ts';
import { countKnownPullRequests, selectApprovedPlansOf } from '../store/pull-request-store.ts';
import { PlanChange } from './change-plan.ts';

/**
 * Called in the transaction that changed the state of a pull request. Returns the IDs of the plans that changed, to
 * announce after the commit. Each plan is locked before its pull requests are counted, so that of two that are merged at
 * the same time, the second one sees the first.
 */
export async function markPlansImplemented(
  db: Db,
  pullRequest: { organizationId: string; repositoryId: string; number: number },
  at: Date,
): Promise<string[]> {
  const changed: string[] = [];
  for (const planId of await selectApprovedPlansOf(db, pullRequest)) {
    const change = new PlanChange(db, await lockPlanById(db, planId), at);
    const { active, merged } = await countKnownPullRequests(db, planId);
    if (change.status !== 'approved' || active > 0 || merged === 0) continue;
    change.act('merge-pull-request', 'pull_request_merged');
    changed.push(...(await change.write(BY_SERVICE)));
  }
  return changed;
}
