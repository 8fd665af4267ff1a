/** The head branch of a merged or closed pull request of plain git, which can be deleted here and restored. */
import { type Context, callOf } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { PushOutcome } from '../../../platform/core/ports/code-writer.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { PullRequestChange } from '../changes/pull-request-change.ts';
import { withPullRequest } from '../changes/with-pull-request.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { deleteOwnPush, insertOwnPush } from '../store/own-push-store.ts';
import type { FoundPullRequest } from '../store/pull-request-store.ts';

const MAX_MS = 3 * 60_000;

export interface ClosedHeadMove {
  kind: 'delete' | 'restore';
  /** Whether the branch is as wanted already. Throws if it may not be moved from there. */
  isDone(tip: string | null, commit: string, found: FoundPullRequest): boolean | Promise<boolean>;
  /** Throws if it may not be moved; the pull request is locked. */
  check?(change: PullRequestChange): Promise<void>;
  /** Told if the branch was not where it was a moment before. */
  raced(found: FoundPullRequest): string;
}

/** Returns once the branch is as wanted at the server, with the id of the push if this call sent it. */
export async function moveClosedHead(
  context: Context,
  pullRequestId: string,
  { check, isDone, kind, raced }: ClosedHeadMove,
): Promise<{ found: FoundPullRequest; pushId: string | null }> {
  const { code, db } = context;
  // A client that disconnects doesn't interrupt a push.
  const call = { ...callOf(context), signal: AbortSignal.timeout(MAX_MS) };
  for (;;) {
    const found = await findPullRequest(context, pullRequestId);
    const { head_branch: branch, repository_id: repositoryId } = found;
    const commit = closedHead(found, kind);
    const ask = async () => isDone(await code.askBranch(repositoryId, branch, call), commit, found);
    if (await ask()) return { found, pushId: null };
    const pushId = await begin(context, found, { commit, kind, check });
    if (pushId === null) continue;
    const ends = kind === 'delete' ? { expected: commit, to: null } : { expected: null, to: commit };
    const outcome = await code.moveBranch(repositoryId, { branch, ...ends }, call);
    if (outcome.kind === 'pushed') return { found, pushId };
    if (outcome.kind !== 'unknown') await deleteOwnPush(db, pushId);
    // Another click was faster; once that is recorded, a hook on the server refuses this one.
    const mayBeDone = outcome.kind === 'lease_lost' || outcome.kind === 'rejected';
    if (mayBeDone && (await ask())) return { found, pushId: null };
    throw notMoved(outcome, branch, raced(found));
  }
}

/** Null if anything was done since the server was asked: a push that is recorded after the same one ended would be recorded twice. */
function begin(
  context: Context,
  found: FoundPullRequest,
  { check, commit, kind }: Pick<ClosedHeadMove, 'check' | 'kind'> & { commit: string },
): Promise<string | null> {
  const { organizationId, userId } = context.actor;
  return withPullRequest(context, found.id, async (change) => {
    const { at, db, pullRequest } = change;
    const { head_branch: branch, id: pullRequestId, last_event, repository_id: repositoryId } = pullRequest;
    if (last_event !== found.last_event) return null;
    await check?.(change);
    const id = uuidv7();
    const ends = kind === 'delete' ? { from: commit, to: null } : { from: null, to: commit };
    const of = { id, organizationId, repositoryId, pullRequestId, userId, branch };
    await insertOwnPush(db, { ...of, ...ends, kind, at });
    return id;
  });
}

const VERBS = { delete: 'Delete', restore: 'Restore' };

/** The commit that it has, or is restored to. */
function closedHead(pullRequest: FoundPullRequest, kind: 'delete' | 'restore'): string {
  const { head_branch, head_commit, head_repository, origin, state, url } = pullRequest;
  if (origin === 'host' || head_repository !== null)
    throw new Problem('conflict', `${VERBS[kind]} this branch on its code host: ${url}`);
  if (state !== 'merged' && state !== 'closed')
    throw new Problem('conflict', `Only the branch of a merged or closed pull request can be ${kind}d.`);
  if (head_commit === null) throw new Problem('conflict', `It is not known which commit ${head_branch} had.`);
  return head_commit;
}

function notMoved(outcome: PushOutcome, branch: string, raced: string): Problem {
  switch (outcome.kind) {
    case 'no_permission':
    case 'rejected':
      return new Problem('conflict', `The server refused the branch ${branch}. ${outcome.message}`);
    case 'unreachable':
    case 'unknown':
      return new Problem('unavailable', `${outcome.message} Try again.`);
    default:
      return new Problem('conflict', raced);
  }
}
