/** The public interface of discussions. */
export { JUDGE_PULL_REQUEST, judgePullRequest, queueJudgements } from './judge-pull-request.ts';
