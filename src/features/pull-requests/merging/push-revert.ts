/**
 * Pushes the commit of a revert to a branch of its own. The branch is made here or not at all; one that an earlier click or an
 * interrupted attempt made is used again.
 */
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeWriter, CommitPerson } from '../../../platform/core/ports/code-writer.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { Db } from '../../../platform/db/index.ts';
import { deleteOwnPush, insertOwnPush, isOwnRevert } from '../store/own-push-store.ts';
import type { FoundPullRequest } from '../store/pull-request-store.ts';
import { type RevertRange, revertBranch, revertMessage } from './revert-range.ts';

const MAX_ATTEMPTS = 20;

interface RevertServices {
  db: Db;
  code: Pick<CodeWriter, 'askBranch' | 'writeBranch'>;
  call: Call;
  now: Date;
}

/** Returns the name of the branch. */
export async function pushRevert(
  services: RevertServices,
  pullRequest: FoundPullRequest,
  range: RevertRange,
  { userId, ...author }: CommitPerson & { userId: string },
): Promise<string> {
  const { call, code, db, now } = services;
  const { base_branch: base, id: pullRequestId, repository_id: repositoryId } = pullRequest;
  const on = await code.askBranch(repositoryId, base, call);
  if (on === null) throw new Problem('conflict', `The branch ${base} no longer exists.`);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; ) {
    const branch = revertBranch(pullRequest, attempt);
    const tip = await code.askBranch(repositoryId, branch, call);
    if (tip !== null) {
      // Anybody who can push could have made a branch with this name.
      if (await isOwnRevert(db, { pullRequestId, branch, tip })) return branch;
      attempt += 1;
      continue;
    }
    const message = revertMessage(pullRequest, range);
    const change = { kind: 'revert' as const, on, ...range, message };
    const signed = { branch, expected: null, change, author, committer: author, at: now };
    const id = uuidv7();
    const onMade = async ({ commit: to }: { commit: string }) => {
      const organizationId = pullRequest.organization_id;
      const of = { id, organizationId, repositoryId, pullRequestId, userId };
      await insertOwnPush(db, { ...of, kind: 'revert', branch, from: null, to, at: now });
      return true;
    };
    const outcome = await code.writeBranch(repositoryId, { ...signed, onMade }, call);
    if (outcome.kind === 'pushed') return branch;
    if (outcome.kind !== 'unknown') await deleteOwnPush(db, id);
    if (outcome.kind === 'rejected' && outcome.inTheWay?.startsWith(`${branch}/`)) {
      attempt += 1;
      continue;
    }
    // Somebody made the branch just now, perhaps by a second click.
    if (outcome.kind !== 'lease_lost') throw notReverted(outcome, pullRequest);
  }
  throw new Problem(
    'conflict',
    `There are too many branches named ${revertBranch(pullRequest, 1)}. Delete some.`,
  );
}

type Failed = Exclude<
  Awaited<ReturnType<CodeWriter['writeBranch']>>,
  { kind: 'pushed' } | { kind: 'lease_lost' }
>;

function notReverted(outcome: Failed, { base_branch: base }: FoundPullRequest): Problem {
  switch (outcome.kind) {
    case 'conflicts':
      return new Problem(
        'conflict',
        `Later commits changed the same places. Revert it by hand: it conflicts in ${outcome.paths.join(', ')}.`,
      );
    case 'unchanged':
      return new Problem('conflict', `${base} no longer contains these changes.`);
    case 'no_permission':
    case 'rejected':
      return new Problem('conflict', `The server refused the new branch. ${outcome.message}`);
    case 'unreachable':
    case 'unknown':
      return new Problem('unavailable', `${outcome.message} Try again.`);
    default:
      return new Problem('conflict', 'git could not revert these commits.');
  }
}
