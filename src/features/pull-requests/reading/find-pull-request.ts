/** Finds a pull request that the caller may see. */
import type { Context } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { type FoundPullRequest, selectPullRequest } from '../store/pull-request-store.ts';

/** Not found if there is none, it is another organization's, or the caller can't see its repository. */
export async function findPullRequest(
  { actor, db }: Pick<Context, 'actor' | 'db'>,
  pullRequestId: string,
): Promise<FoundPullRequest> {
  const found = await selectPullRequest(db, actor, pullRequestId);
  if (!found) throw notFound('The pull request');
  return found;
}
