/**
 * Pushes the commit of a revert to a branch of its own. The branch is made here or not at all; one that an earlier click or an
 * interrupted attempt made is used again.
 */
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { CodeWriter, CommitPerson } from '../../../platform/core/ports/code-writer.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { FoundPullRequest } from '../store/pull-request-store.ts';
import { type RevertRange, revertBranch, revertLine, revertMessage } from './revert-range.ts';

const MAX_ATTEMPTS = 20;

interface RevertServices {
  code: Pick<CodeReader, 'compare'> & Pick<CodeWriter, 'askBranch' | 'writeBranch'>;
  call: Call;
  now: Date;
}

/** Returns the name of the branch. */
export async function pushRevert(
  services: RevertServices,
  pullRequest: FoundPullRequest,
  range: RevertRange,
  author: CommitPerson,
): Promise<string> {
  const { call, code, now } = services;
  const { base_branch: base, repository_id: repositoryId } = pullRequest;
  const on = await code.askBranch(repositoryId, base, call);
  if (on === null) throw new Problem('conflict', `The branch ${base} no longer exists.`);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; ) {
    const branch = revertBranch(pullRequest, attempt);
    const tip = await code.askBranch(repositoryId, branch, call);
    if (tip !== null) {
      if (await isThisRevert(services, repositoryId, { on, tip, range })) return branch;
      attempt += 1;
      continue;
    }
    const message = revertMessage(pullRequest, range);
    const change = { kind: 'revert' as const, on, ...range, message };
    const signed = { branch, expected: null, change, author, committer: author, at: now };
    const outcome = await code.writeBranch(repositoryId, signed, call);
    if (outcome.kind === 'pushed') return branch;
    // Somebody made the branch just now, perhaps by a second click.
    if (outcome.kind !== 'lease_lost') throw notReverted(outcome, pullRequest);
  }
  throw new Problem(
    'conflict',
    `There are too many branches named ${revertBranch(pullRequest, 1)}. Delete some.`,
  );
}

async function isThisRevert(
  { call, code }: RevertServices,
  repositoryId: string,
  { on, range, tip }: { on: string; tip: string; range: RevertRange },
): Promise<boolean> {
  const added = { from: on, to: tip, limit: 2 };
  const { commits, total } = await code.compare('listCommits', repositoryId, added, call);
  return total === 1 && commits[0]!.body.includes(revertLine(range.after));
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
