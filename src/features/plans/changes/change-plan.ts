/** The only way to change a plan: its row is locked, and every change is recorded as an event. */
import type { Context } from '../../../context.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { changeSubject, SubjectChange } from '../../events/index.ts';
import type { PlanEventKind, PlanStatus } from '../contract.ts';
import { readPlan } from '../reading/read-plan.ts';
import { decideStatus, type PlanActionName } from '../status/plan-status.ts';
import { lockPlan, type PlanRow, type PlanValues, updatePlan } from '../store/plan-store.ts';

export class PlanChange extends SubjectChange<PlanRow, PlanValues, PlanEventKind> {
  protected readonly kind = 'plan';
  /** As it was locked. */
  readonly plan: PlanRow;
  status: PlanStatus;

  constructor(db: Db, plan: PlanRow, at: Date) {
    super(db, plan, at);
    this.plan = plan;
    this.status = plan.status;
  }

  /** Applies an action to the status; one that is not allowed in the current status is a conflict. */
  act(action: PlanActionName, reason: string, note: string | null = null): void {
    const outcome = decideStatus(this.status, action);
    if (outcome.decision === 'refuse') throw new Problem('conflict', outcome.because);
    if (outcome.decision === 'keep') return;
    this.record('status_changed', { from: this.status, to: outcome.to, reason, note });
    this.status = outcome.to;
    this.set({ updated_at: this.at });
  }

  protected update(values: PlanValues & { last_event: string }): Promise<void> {
    return updatePlan(this.db, this.plan, { ...values, status: this.status });
  }
}

/** Locks the plan while `decide` changes it; not found if it doesn't exist or was deleted. */
export function changePlan<T>(
  context: Context,
  seriesId: string,
  decide: (change: PlanChange) => Promise<T>,
): Promise<T> {
  const lock = async (db: Db) => {
    const plan = await lockPlan(db, context.actor.organizationId, seriesId);
    if (!plan || plan.status === 'deleted') throw notFound('The plan');
    return new PlanChange(db, plan, context.clock.now());
  };
  return changeSubject(context, lock, decide);
}

/** Like `changePlan`, but returns the plan as it is right after this change, before any other change. */
export function changeAndReadPlan(
  context: Context,
  seriesId: string,
  decide: (change: PlanChange) => Promise<void>,
): ReturnType<typeof readPlan> {
  return inTransaction(context.db, async (db) => {
    await changePlan({ ...context, db }, seriesId, decide);
    return readPlan(context, db, seriesId);
  });
}
