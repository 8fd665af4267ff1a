/** PATCH /api/v2/pull-requests/:pullRequestId: changes the title, description, base or state of one of plain git. */
import type { z } from 'zod';
import { type Context, callOf, defineOperation } from '../../../context.ts';
import { maskValue } from '../../../engines/review/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { authorOfPush } from '../changes/author-of-push.ts';
import type { PullRequestChange } from '../changes/pull-request-change.ts';
import { requireActive } from '../changes/require-active.ts';
import { changeAndReadPullRequest } from '../changes/with-pull-request.ts';
import { ChangePullRequestInput, PullRequest } from '../contract.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { isBeingMerged } from '../store/merge-store.ts';
import type { FoundPullRequest } from '../store/pull-request-store.ts';
import { markSuggestionsApplied } from '../store/suggestion-commit-store.ts';
import { attributePush, type Push } from './attribute-push.ts';
import { type ComparedBranches, compareBranches, wasForced } from './compare-branches.ts';
import { refuseSameBranches } from './open-plain-git.ts';
import { lockNumbers } from './plain-git-store.ts';

type Input = z.output<typeof ChangePullRequestInput>;
/** `headBefore` is the head that was recorded when git was asked. */
type Compared = ComparedBranches & { push: Push; headBefore: string | null };

export const changePullRequest = defineOperation({
  name: 'change-pull-request',
  group: 'Pull requests',
  summary: 'Change a pull request',
  description:
    'Edits, closes or reopens it, or marks it as a draft or ready. Pull requests of a code host are changed there.',
  http: { method: 'PATCH', path: '/api/v2/pull-requests/:pullRequestId', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ChangePullRequestInput,
  output: PullRequest,
  problems: ['not_found', 'ref_not_found', 'conflict'],
  async run(context, input) {
    const found = await findPullRequest(context, input.pullRequestId);
    if (found.origin === 'host') {
      throw new Problem('conflict', `Change this pull request on its code host: ${found.url}`);
    }
    const { description, title } = input;
    const texts = await maskValue({ description, title });
    const compared = await compareIfNeeded(context, found, input);
    return changeAndReadPullRequest(context, found.id, async (change) => {
      const isDecided = input.base !== undefined || input.state !== undefined;
      if (isDecided && (await isBeingMerged(change.db, found.id)))
        throw new Problem('conflict', 'This pull request is being merged right now.');
      refuseOtherDescription(change, input.expectedDescription);
      edit(change, texts);
      await changeBase(change, input.base, compared);
      await changeState(change, input.state, compared);
    });
  },
});

function reopens(from: FoundPullRequest['state'], to: Input['state']): boolean {
  return from === 'closed' && to !== undefined && to !== 'closed';
}

/** Git is asked before the transaction begins. */
async function compareIfNeeded(
  context: Context,
  found: FoundPullRequest,
  { base = found.base_branch, state }: Input,
): Promise<Compared | undefined> {
  if (found.state === 'merged' || (base === found.base_branch && !reopens(found.state, state)))
    return undefined;
  const services = { db: context.db, code: context.code, call: callOf(context) };
  const repository = { id: found.repository_id, name: found.repository_name };
  const compared = await compareBranches(services, repository, {
    head: found.head_branch,
    base,
    field: 'base',
  });
  const { baseCommit, headCommit: commit, mergeBase } = compared;
  const forced = await wasForced(services, repository.id, { from: found.head_commit, to: commit });
  const author = await authorOfPush(services, repository.id, { base: baseCommit, head: commit });
  const branches = { repositoryId: repository.id, branch: found.head_branch };
  const head = { commit, baseCommit, mergeBase, forced, author };
  const push = await attributePush(context.db, branches, head);
  return { ...compared, push, headBefore: found.head_commit };
}

async function recordPush(change: PullRequestChange, { head, suggestionCommitId }: Push): Promise<void> {
  const isNew = await change.recordHead(head);
  if (isNew && suggestionCommitId) await markSuggestionsApplied(change.db, suggestionCommitId, change.at);
}

function refuseOtherDescription({ pullRequest }: PullRequestChange, expected: string | undefined): void {
  if (expected !== undefined && expected !== pullRequest.description)
    throw new Problem('conflict', 'The description was changed at the same time. Nothing was saved.');
}

function edit(change: PullRequestChange, { description, title }: Pick<Input, 'description' | 'title'>): void {
  const { pullRequest } = change;
  const fields = [
    ...(title !== undefined && title !== pullRequest.title ? ['title'] : []),
    ...(description !== undefined && description !== pullRequest.description ? ['description'] : []),
  ];
  if (fields.length === 0) return;
  change.set({ ...(title !== undefined && { title }), ...(description !== undefined && { description }) });
  change.record('pull_request_edited', { fields });
}

async function changeBase(
  change: PullRequestChange,
  base: string | undefined,
  compared: Compared | undefined,
): Promise<void> {
  const { pullRequest } = change;
  if (base === undefined || base === pullRequest.base_branch) return;
  requireActive(pullRequest);
  if (!compared) throw movedMeanwhile();
  await refuseTwice(change, base);
  // A push that was recorded since git was asked has another merge base.
  if (compared.headBefore !== pullRequest.head_commit) throw movedMeanwhile();
  const { baseCommit, mergeBase, push } = compared;
  await recordPush(change, push);
  await change.setBase({ branch: base, baseCommit, mergeBase });
}

async function changeState(
  change: PullRequestChange,
  state: Input['state'],
  compared: Compared | undefined,
): Promise<void> {
  const { pullRequest } = change;
  if (state === undefined || state === pullRequest.state) return;
  if (pullRequest.state === 'merged') throw new Problem('conflict', 'The pull request was merged already.');
  if (reopens(pullRequest.state, state)) {
    if (!compared) throw movedMeanwhile();
    await refuseTwice(change, pullRequest.base_branch);
    const { baseCommit, mergeBase, push } = compared;
    change.set({ base_commit: baseCommit, merge_base: mergeBase });
    await recordPush(change, push);
  }
  change.setState(state, { reason: 'by_hand' });
}

async function refuseTwice({ db, pullRequest }: PullRequestChange, base: string): Promise<void> {
  const { head_branch: head, id: exceptId, repository_id: repositoryId } = pullRequest;
  await lockNumbers(db, repositoryId);
  await refuseSameBranches(db, { repositoryId, head, base, exceptId });
}

function movedMeanwhile(): Problem {
  return new Problem('conflict', 'The pull request was changed at the same time. Try again.');
}
