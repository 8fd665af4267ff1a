/** Judges one discussion on the commit that someone says fixes it. */
import type { Context } from '../../context.ts';
import { invalidRequest } from '../../platform/core/errors.ts';
import type { FoundPullRequest } from '../pull-requests/index.ts';
import type { DiscussionRow } from './discussion-store.ts';
import { judgeDiscussions } from './judge-discussions.ts';
import { prepareJudgement } from './prepare-judgement.ts';
import type { Judgement } from './record-judgement.ts';

export async function findFixCommit(
  { actor, code, disconnected }: Context,
  pullRequest: FoundPullRequest,
  digits: string,
): Promise<string> {
  const found = await code.findCommit(pullRequest.repository_id, digits.toLowerCase(), {
    caller: actor,
    signal: disconnected(),
  });
  if (found.kind === 'found') return found.commit;
  throw invalidRequest([
    {
      path: 'fixedIn',
      message:
        found.kind === 'ambiguous'
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
  const { actor, code, db } = context;
  const [toJudge] = await prepareJudgement(db, pullRequest.id, [discussion]);
  if (!toJudge) return null;
  const source = {
    code,
    repositoryId: pullRequest.repository_id,
    call: { caller: actor, signal: context.disconnected() },
  };
  const judged = await judgeDiscussions(source, [{ ...toJudge, judge: true }], { new: commit, old: null });
  const judgement = judged.get(discussion.id)?.judgement;
  return judgement ? { ...judgement, commit } : null;
}
