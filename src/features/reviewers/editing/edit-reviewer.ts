/** The common frame of changes to a reviewer: lock it, check who may, change it, and return it. */
import type { Context } from '../../../context.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { type LockedReviewer, lockReviewer, lockReviewers } from '../store/reviewer-store.ts';
import { mayEdit } from './who-may-edit.ts';

/** Titles stay unique because reviewers are locked as a whole first. */
export async function editReviewer(
  context: Context,
  reviewerId: string,
  edit: (db: Db, reviewer: LockedReviewer) => Promise<void>,
): Promise<void> {
  const { organizationId } = context.actor;
  await inTransaction(context.db, async (db) => {
    await lockReviewers(db, organizationId);
    const reviewer = await lockReviewer(db, organizationId, reviewerId);
    if (!reviewer) throw notFound('The reviewer');
    if (!mayEdit(context.actor, reviewer)) {
      throw new Problem(
        'forbidden',
        reviewer.built_in === null
          ? 'Only admins and the person who created this reviewer can change it.'
          : 'Built-in reviewers can be turned on and off, but not edited.',
      );
    }
    await edit(db, reviewer);
  });
}
