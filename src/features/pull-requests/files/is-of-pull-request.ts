/** Whether a commit belongs to a pull request: a head that it has or had, or a commit below one that the base lacks. */
import { type Context, callOf } from '../../../context.ts';
import { type FoundPullRequest, selectHeads, wasHead } from '../store/pull-request-store.ts';

/** Commits of older heads can be read, but only the heads themselves are recognized: each of these takes a git. */
const MAX_HEADS = 10;

export async function isOfPullRequest(
  context: Context,
  pullRequest: FoundPullRequest,
  commit: string,
): Promise<boolean> {
  const { code, db } = context;
  const { id, repository_id: repositoryId } = pullRequest;
  if (commit === pullRequest.head_commit || (await wasHead(db, id, commit))) return true;
  const call = callOf(context);
  if ((await code.findCommit(repositoryId, commit, call)).kind !== 'found') return false;
  const contains = (to: string) => code.compare('isAncestor', repositoryId, { from: commit, to }, call);
  for (const head of (await selectHeads(db, id, MAX_HEADS)).reverse()) {
    if (!(await contains(head.commit))) continue;
    const base = head.merge_base ?? head.base_commit;
    return base === null || !(await contains(base));
  }
  return false;
}
