/** Finds a thread of a plan that the caller may see. */
import type { Context } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { findPlan } from '../reading/read-plan.ts';
import { isThread } from '../store/comment-store.ts';

export async function findThread(
  context: Context,
  { seriesId, threadId }: { seriesId: string; threadId: string },
): Promise<{ planId: string; threadId: string }> {
  const plan = await findPlan(context, seriesId);
  if (!(await isThread(context.db, plan.id, threadId))) throw notFound('The thread');
  return { planId: plan.id, threadId };
}
