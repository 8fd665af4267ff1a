/** Pushes a commit that brings the base branch into the head branch of one of plain git, recorded before it is sent, with a lease. */
import { type Context, callOf } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeChange, CodeWriter } from '../../../platform/core/ports/code-writer.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { askForRefresh } from '../../repositories/index.ts';
import { withPullRequest } from '../changes/with-pull-request.ts';
import { protectedBecause } from '../rules/protected-head.ts';
import { isBeingMerged, selectSigner } from '../store/merge-store.ts';
import { deleteOwnPush, insertOwnPush } from '../store/own-push-store.ts';
import type { FoundPullRequest, PullRequestRow } from '../store/pull-request-store.ts';

const MAX_MS = 3 * 60_000;

type PushedHead = Awaited<ReturnType<CodeWriter['writeBranch']>>;
export type FailedHeadPush = Exclude<PushedHead, { kind: 'pushed' }>;

/** Whether the head branch can be pushed to at all; `head` and `base` are the commits that the caller saw. */
export async function requireUpdatable(
  { db }: Context,
  found: FoundPullRequest,
  seen: { head: string; base?: string },
): Promise<void> {
  if (found.origin === 'host')
    throw new Problem('conflict', `Update this branch on its code host: ${found.url}`);
  refuseOther(found, seen);
  const why = await headBlockedBecause({ db }, found);
  if (why !== null) throw new Problem('conflict', why);
}

export async function headBlockedBecause(
  { db }: Pick<Context, 'db'>,
  { head_branch, organization_id: organizationId, repository_id: repositoryId }: FoundPullRequest,
): Promise<string | null> {
  const why = await protectedBecause(db, { organizationId, repositoryId }, head_branch);
  return why === null ? null : `This branch can’t be updated. ${why}`;
}

/** Nothing is written if the head or base is another one by now. */
export async function pushToHead(
  context: Context,
  found: FoundPullRequest,
  { change, seen }: { change: CodeChange; seen: { head: string; base?: string } },
): Promise<PushedHead> {
  const { actor, clock, code, db, feed } = context;
  const { head_branch: branch, id: pullRequestId, repository_id: repositoryId } = found;
  const author = await selectSigner(db, actor.userId);
  if (!author) throw new Error('Who pushes has no account.');
  const id = uuidv7();
  const onMade = async ({ commit: to }: { commit: string }) => {
    await withPullRequest(context, pullRequestId, async ({ at, db: locked, pullRequest }) => {
      refuseOther(pullRequest, seen);
      if (await isBeingMerged(locked, pullRequestId))
        throw new Problem('conflict', 'This pull request is being merged right now.');
      const { organizationId, userId } = actor;
      const of = { id, organizationId, repositoryId, pullRequestId, userId, branch };
      await insertOwnPush(locked, { ...of, kind: 'update', from: seen.head, to, at });
    });
    return true;
  };
  const signed = { branch, expected: seen.head, change, author, committer: author, at: clock.now() };
  // A client that disconnects doesn't interrupt a push.
  const call = { ...callOf(context), signal: AbortSignal.timeout(MAX_MS) };
  const outcome = await code.writeBranch(repositoryId, { ...signed, onMade }, call);
  if (outcome.kind === 'pushed') {
    await askForRefresh(db, repositoryId);
    feed.announce(repositoryId);
  } else if (outcome.kind !== 'unknown') await deleteOwnPush(db, id);
  return outcome;
}

function refuseOther(
  { base_commit, head_commit, state }: Pick<PullRequestRow, 'base_commit' | 'head_commit' | 'state'>,
  { base, head }: { head: string; base?: string },
): void {
  if (state !== 'open' && state !== 'draft')
    throw new Problem('conflict', 'A branch can only be updated while its pull request is open.');
  if (head_commit !== head)
    throw new Problem('conflict', 'New commits were pushed to the branch. Look at them, then try again.');
  if (base !== undefined && base_commit !== base)
    throw new Problem('conflict', 'New commits were pushed to the base branch. Look at the conflicts again.');
}

export function notPushed(
  outcome: FailedHeadPush,
  { base_branch: base, head_branch: head }: FoundPullRequest,
): Problem {
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
