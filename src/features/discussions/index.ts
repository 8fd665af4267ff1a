/** The public interface of discussions. */
export { readHostChange } from './discussion-status.ts';
export { insertComment, insertDiscussion, type WrittenBy } from './discussion-store.ts';
export { JUDGE_PULL_REQUEST, judgePullRequest, queueJudgements } from './judge-pull-request.ts';
export { setStatus } from './set-status.ts';
