/** POST /api/v2/pull-requests/:pullRequestId/update-branch: merges the base branch into the head branch of one of plain git. */
import { type Context, callOf, defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeWriter } from '../../../platform/core/ports/code-writer.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { askForRefresh } from '../../repositories/index.ts';
import { withPullRequest } from '../changes/with-pull-request.ts';
import { UpdatedBranch, UpdateHeadBranchInput } from '../contract.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { protectedBecause } from '../rules/protected-head.ts';
import { isBeingMerged, selectSigner } from '../store/merge-store.ts';
import { deleteOwnPush, insertOwnPush, type OwnPush } from '../store/own-push-store.ts';
import type { FoundPullRequest } from '../store/pull-request-store.ts';

const MAX_MS = 3 * 60_000;

export const updateHeadBranch = defineOperation({
  name: 'update-head-branch',
  group: 'Pull requests',
  summary: 'Update the head branch',
  description:
    'Merges the base branch into the head branch, as a commit of the caller, who then can’t approve the pull request. Approvals count afterward only if the merge rule keeps them and the patch is the same. Branches of a code host are updated there.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/update-branch', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: UpdateHeadBranchInput,
  output: UpdatedBranch,
  problems: ['not_found', 'conflict', 'repository_not_ready', 'unavailable'],
  async run(context, { expectedHead, pullRequestId }) {
    const { actor, clock, code, db, feed } = context;
    const found = await findPullRequest(context, pullRequestId);
    if (found.origin === 'host')
      throw new Problem('conflict', `Update this branch on its code host: ${found.url}`);
    const { base_branch: base, base_commit: baseCommit, head_branch: branch, repository_id: id } = found;
    refuseOtherHead(found, expectedHead);
    if (baseCommit === null)
      throw new Problem('conflict', 'The head branch can’t be compared with its base.');
    const scope = { organizationId: actor.organizationId, repositoryId: id };
    const why = await protectedBecause(db, scope, branch);
    if (why !== null) throw new Problem('conflict', `This branch can’t be updated. ${why}`);
    const author = await selectSigner(db, actor.userId);
    if (!author) throw new Error('Who updates has no account.');
    const message = `Merge branch '${base}' into ${branch}`;
    const change = { kind: 'merge' as const, base: expectedHead, head: baseCommit, message };
    const signed = { branch, expected: expectedHead, change, author, committer: author, at: clock.now() };
    const pushId = uuidv7();
    const onMade = ({ commit }: { commit: string }) =>
      record(context, { id: pushId, pullRequestId, from: expectedHead, to: commit });
    // A client that disconnects doesn't interrupt a push.
    const call = { ...callOf(context), signal: AbortSignal.timeout(MAX_MS) };
    const outcome = await code.writeBranch(id, { ...signed, onMade }, call);
    if (outcome.kind !== 'pushed') {
      if (outcome.kind !== 'unknown') await deleteOwnPush(db, pushId);
      throw notUpdated(outcome, found);
    }
    await askForRefresh(db, id);
    feed.announce(id);
    return { commit: outcome.made.commit };
  },
});

async function record(
  context: Context,
  { pullRequestId, ...push }: Pick<OwnPush, 'id' | 'pullRequestId'> & { from: string; to: string },
): Promise<boolean> {
  const { organizationId, userId } = context.actor;
  await withPullRequest(context, pullRequestId, async ({ at, db, pullRequest }) => {
    refuseOtherHead(pullRequest, push.from);
    if (await isBeingMerged(db, pullRequestId))
      throw new Problem('conflict', 'This pull request is being merged right now.');
    const { head_branch: branch, repository_id: repositoryId } = pullRequest;
    const of = { organizationId, repositoryId, pullRequestId, userId };
    await insertOwnPush(db, { ...push, ...of, kind: 'update', branch, at });
  });
  return true;
}

function refuseOtherHead(
  { head_commit, state }: Pick<FoundPullRequest, 'head_commit' | 'state'>,
  expected: string,
): void {
  if (state !== 'open' && state !== 'draft')
    throw new Problem('conflict', 'A branch can only be updated while its pull request is open.');
  if (head_commit !== expected)
    throw new Problem('conflict', 'New commits were pushed. Look at them, then update the branch.');
}

type Failed = Exclude<Awaited<ReturnType<CodeWriter['writeBranch']>>, { kind: 'pushed' }>;

function notUpdated(outcome: Failed, { base_branch: base, head_branch: head }: FoundPullRequest): Problem {
  switch (outcome.kind) {
    case 'unchanged':
      return new Problem('conflict', `${head} already has all commits of ${base}.`);
    case 'conflicts':
      return new Problem(
        'conflict',
        `${base} conflicts with ${head} in ${outcome.paths.join(', ')}. Merge it in a clone.`,
      );
    case 'lease_lost':
      return new Problem('conflict', `${head} moved meanwhile. Look at the new commits, then try again.`);
    case 'no_permission':
    case 'rejected':
      return new Problem('conflict', `The server refused the push to ${head}. ${outcome.message}`);
    case 'unreachable':
    case 'unknown':
      return new Problem('unavailable', `${outcome.message} Try again.`);
    default:
      return new Problem('conflict', 'git could not merge these branches.');
  }
}
