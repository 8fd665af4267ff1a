/** POST /api/v2/pull-requests/:pullRequestId/restore-branch: pushes the head branch of a merged or closed one of plain git again. */
import { type Context, callOf, defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { PushOutcome } from '../../../platform/core/ports/code-writer.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { askForRefresh } from '../../repositories/index.ts';
import { withPullRequest } from '../changes/with-pull-request.ts';
import { PullRequest, RestoreHeadBranchInput } from '../contract.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { readPullRequest } from '../reading/read-pull-request.ts';
import { deleteOwnPush, deleteRestores, insertOwnPush, isRestored } from '../store/own-push-store.ts';
import type { FoundPullRequest } from '../store/pull-request-store.ts';

const MAX_MS = 3 * 60_000;

export const restoreHeadBranch = defineOperation({
  name: 'restore-head-branch',
  group: 'Pull requests',
  summary: 'Restore the head branch',
  description:
    'Pushes the head branch of a merged or closed pull request again, at the head that the pull request has, if no branch has this name. Branches of a code host are restored there.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/restore-branch', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: RestoreHeadBranchInput,
  output: PullRequest,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, { pullRequestId }) {
    const { actor, code, db } = context;
    const found = await findPullRequest(context, pullRequestId);
    const { head_branch: branch, repository_id: repositoryId } = found;
    const commit = lastHead(found);
    // A client that disconnects doesn't interrupt a push.
    const call = { ...callOf(context), signal: AbortSignal.timeout(MAX_MS) };
    const isThere = async () => {
      const tip = await code.askBranch(repositoryId, branch, call);
      if (tip === null) return false;
      // A second click, or one after a crash.
      if (tip === commit && (await isRestored(db, pullRequestId))) return true;
      throw new Problem('conflict', `The branch ${branch} exists again.`);
    };
    if (!(await isThere())) {
      const id = uuidv7();
      await begin(context, pullRequestId, { id, commit });
      const outcome = await code.moveBranch(repositoryId, { branch, expected: null, to: commit }, call);
      if (outcome.kind !== 'pushed' && outcome.kind !== 'unknown') await deleteOwnPush(db, id);
      const isDone = outcome.kind === 'pushed' || (outcome.kind === 'lease_lost' && (await isThere()));
      if (!isDone) throw notRestored(outcome, branch);
    }
    await finish(context, pullRequestId);
    return readPullRequest(db, actor, pullRequestId);
  },
});

/** The commit that it is restored to. */
function lastHead(pullRequest: Omit<FoundPullRequest, 'repository_name'>): string {
  const { head_branch, head_commit, head_repository, origin, state, url } = pullRequest;
  if (origin === 'host' || head_repository !== null)
    throw new Problem('conflict', `Restore this branch on its code host: ${url}`);
  if (state !== 'merged' && state !== 'closed')
    throw new Problem('conflict', 'Only the branch of a merged or closed pull request can be restored.');
  if (head_commit === null) throw new Problem('conflict', `It is not known which commit ${head_branch} had.`);
  return head_commit;
}

async function begin(
  context: Context,
  pullRequestId: string,
  { commit, id }: { id: string; commit: string },
): Promise<void> {
  const { organizationId, userId } = context.actor;
  await withPullRequest(context, pullRequestId, async ({ at, db, pullRequest }) => {
    const { head_branch: branch, repository_id: repositoryId } = pullRequest;
    if (lastHead(pullRequest) !== commit)
      throw new Problem('conflict', 'The pull request was changed at the same time. Try again.');
    const of = { id, organizationId, repositoryId, pullRequestId, userId, branch };
    await insertOwnPush(db, { ...of, kind: 'restore', from: null, to: commit, at });
  });
}

/** Several at once record it once. From then on nobody else can repeat the push. */
async function finish(context: Context, pullRequestId: string): Promise<void> {
  const repositoryId = await withPullRequest(context, pullRequestId, async (change) => {
    const { head_branch: branch, head_commit: commit, repository_id } = change.pullRequest;
    if ((await deleteRestores(change.db, pullRequestId)) > 0)
      change.record('pull_request_branch_restored', { branch, commit });
    await askForRefresh(change.db, repository_id);
    return repository_id;
  });
  context.feed.announce(repositoryId);
}

function notRestored(outcome: PushOutcome, branch: string): Problem {
  switch (outcome.kind) {
    case 'no_permission':
    case 'rejected':
      return new Problem('conflict', `The server refused the branch ${branch}. ${outcome.message}`);
    case 'unreachable':
    case 'unknown':
      return new Problem('unavailable', `${outcome.message} Try again.`);
    default:
      return new Problem('conflict', `The branch ${branch} was made and deleted just now. Try again.`);
  }
}
