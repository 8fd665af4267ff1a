/** The only way to change a plan: its row is locked, and every change is recorded as an event. */
import type { Context } from '../../../context.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { insertEvents, type NewEvent } from '../../events/index.ts';
import type { PlanEventKind, PlanStatus } from '../contract.ts';
import { readPlan } from '../reading/read-plan.ts';
import { decideStatus, type PlanActionName } from '../status/plan-status.ts';
import { lockPlan, type PlanRow, updatePlan } from '../store/plan-store.ts';

/** A locked plan with its pending changes and the events that will be recorded. */
export class PlanChange {
  readonly db: Db;
  readonly plan: PlanRow;
  readonly at: Date;
  status: PlanStatus;
  readonly #events: NewEvent<PlanEventKind>[] = [];
  #set: Parameters<typeof updatePlan>[2] | undefined;

  constructor(db: Db, plan: PlanRow, at: Date) {
    this.db = db;
    this.plan = plan;
    this.status = plan.status;
    this.at = at;
  }

  record(kind: PlanEventKind, data: Record<string, unknown>): void {
    const number = Number(this.plan.last_event) + this.#events.length + 1;
    this.#events.push({ number, kind, data });
  }

  set(values: Omit<Parameters<typeof updatePlan>[2], 'last_event' | 'status'>): void {
    this.#set = { ...this.#set, ...values, last_event: '' };
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

  /** Writes the events and the new state of the plan. Returns whether there was anything to write. */
  async write(source: {
    kind: 'key' | 'session' | 'oauth' | 'service';
    userId: string | null;
    credentialId: string | null;
  }): Promise<boolean> {
    if (this.#events.length === 0 && !this.#set) return false;
    const { id, organization_id: organizationId } = this.plan;
    const last = Number(this.plan.last_event) + this.#events.length;
    await insertEvents(
      this.db,
      {
        subjectKind: 'plan',
        subjectId: id,
        organizationId,
        actorKind: source.kind,
        actorUserId: source.userId,
        actorCredentialId: source.credentialId,
        at: this.at,
      },
      this.#events,
    );
    const set = { ...this.#set, status: this.status, last_event: String(last) };
    await updatePlan(this.db, { id, organizationId }, set);
    return true;
  }
}

/** Locks the plan while `decide` changes it; not found if it doesn't exist or was deleted. */
export function changePlan<T>(
  context: Context,
  seriesId: string,
  decide: (change: PlanChange) => Promise<T>,
): Promise<T> {
  const { actor, clock, db } = context;
  return inTransaction(db, async (transaction) => {
    const plan = await lockPlan(transaction, actor.organizationId, seriesId);
    if (!plan || plan.status === 'deleted') throw notFound('The plan');
    const change = new PlanChange(transaction, plan, clock.now());
    const result = await decide(change);
    await finishChange(context, change);
    return result;
  });
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

/** Writes what was recorded and notifies waiting clients after the commit. */
export async function finishChange(context: Context, change: PlanChange): Promise<void> {
  if (await change.write(context.actor)) context.afterCommit(() => context.feed.announce(change.plan.id));
}
