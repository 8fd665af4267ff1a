/** Judges one discussion on the commit that someone says fixes it. */
import { type Context, callOf } from '../../context.ts';
import { invalidRequest, Problem } from '../../platform/core/errors/errors.ts';
import type { FoundPullRequest } from '../pull-requests/index.ts';
import { findOrAsk } from '../repositories/index.ts';
import type { DiscussionRow } from './discussion-store.ts';
import { type CodeOfRepository, judgeDiscussions } from './judge-discussions.ts';
import { prepareJudgement } from './prepare-judgement.ts';
import type { Judgement } from './record-judgement.ts';

export async function findFixCommit(
  context: Context,
  { repository_id: repositoryId }: FoundPullRequest,
  sent: string,
): Promise<string> {
  const { code } = context;
  const call = callOf(context);
  const digits = sent.toLowerCase();
  const commit = digits.length === 40 || digits.length === 64 ? digits : undefined;
  const outcome = await findOrAsk({ code, call }, repositoryId, { isPushed: true, commit }, async () => {
    const found = await code.findCommit(repositoryId, digits, call);
    return found.kind === 'none' ? undefined : found;
  });
  const found = 'found' in outcome ? outcome.found : undefined;
  if (found?.kind === 'found') return found.commit;
  throw invalidRequest([
    {
      path: 'fixedIn',
      message: found
        ? 'matches more than one commit: send more digits'
        : 'is not a commit of the repository: push it first',
    },
  ]);
}

export async function judgeFix(
  context: Context,
  pullRequest: FoundPullRequest,
  discussion: DiscussionRow,
  commit: string,
): Promise<Judgement | null> {
  const { actor, code, db, state } = context;
  const source = {
    code,
    state,
    repositoryId: pullRequest.repository_id,
    call: { caller: actor, signal: context.disconnected() },
  };
  if (!(await isLater(source, pullRequest.head_commit, discussion.commit, commit))) return null;
  const [toJudge] = await prepareJudgement(db, pullRequest.id, [discussion]);
  if (!toJudge) return null;
  const judged = await judgeDiscussions(source, [{ ...toJudge, judge: true }], { new: commit, old: null });
  const judgement = judged.get(discussion.id)?.judgement;
  return judgement ? { ...judgement, commit } : null;
}

/**
 * Whether the commit belongs to the pull request and came after what was commented on. A commit of another branch, or an older
 * one, answers nothing; a head that was pushed but not recorded yet contains the recorded one.
 */
async function isLater(
  { call, code, repositoryId }: CodeOfRepository,
  head: string | null,
  commented: string | null,
  commit: string,
): Promise<boolean> {
  const contains = async (to: string | null, from: string | null) => {
    if (to === null || from === null) return false;
    try {
      return await code.compare('isAncestor', repositoryId, { from, to }, call);
    } catch (error) {
      if (error instanceof Problem && error.code === 'ref_not_found') return false;
      throw error;
    }
  };
  if (await contains(commit, head)) return true;
  return (await contains(head, commit)) && !(await contains(commented, commit));
}
