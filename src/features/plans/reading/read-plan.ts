/** Reads a plan with its latest version, as endpoints 8 and 12 return it. */
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import type { Db } from '../../../platform/db/index.ts';
import type { Plan } from '../contract.ts';
import { selectVersionRepositories } from '../store/plan-repository-store.ts';
import { selectCurrentPlan, selectPlan } from '../store/plan-store.ts';
import { selectPullRequests } from '../store/pull-request-store.ts';
import { presentPlan } from './present-plan.ts';

export async function readPlan(context: Context, db: Db, seriesId: string): Promise<z.input<typeof Plan>> {
  const row = await selectCurrentPlan(db, context.actor.organizationId, seriesId);
  if (!row) throw notFound('The plan');
  return presentPlan(
    row,
    await selectVersionRepositories(db, context.actor, row.version_id),
    await selectPullRequests(db, context.actor, row.id),
    context.baseUrl,
  );
}

/** The row of a plan; not found if it doesn't exist, was deleted, or belongs to another organization. */
export async function findPlan(context: Context, seriesId: string) {
  const plan = await selectPlan(context.db, context.actor.organizationId, seriesId);
  if (!plan) throw notFound('The plan');
  return plan as typeof plan & { version_id: string };
}
