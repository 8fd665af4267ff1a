/** Whether a head branch must stay: the default branch, one that a merge rule names, or one that another open pull request needs. */
import type { Db } from '../../../platform/db/index.ts';
import { selectUserOfBranch } from '../store/merge-store.ts';
import type { PullRequestRow } from '../store/pull-request-store.ts';
import { selectDefaultBranch } from './merge-rule-store.ts';
import { protectedBecause } from './protected-head.ts';

/** Why; null if it may be deleted. */
export async function headKeptBecause(
  db: Db,
  pullRequest: Pick<PullRequestRow, 'head_branch' | 'id' | 'organization_id' | 'repository_id'>,
): Promise<string | null> {
  const {
    head_branch: branch,
    id,
    organization_id: organizationId,
    repository_id: repositoryId,
  } = pullRequest;
  if ((await selectDefaultBranch(db, repositoryId)) === null)
    return 'It is not known which branch is the default branch.';
  const why = await protectedBecause(db, { organizationId, repositoryId }, branch);
  if (why !== null) return why;
  const user = await selectUserOfBranch(db, { repositoryId, branch, exceptId: id });
  if (!user) return null;
  return user.base_branch === branch
    ? `The open pull request #${user.number} merges into it.`
    : `The open pull request #${user.number} comes from it.`;
}
