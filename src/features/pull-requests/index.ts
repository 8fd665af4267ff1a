/** The public interface of pull requests. */
export { findPullRequest } from './find-pull-request.ts';
export { createPlainGitFollower } from './follow-plain-git.ts';
export { type BranchesToReview, openPlainGit } from './open-plain-git.ts';
export {
  presentAuthor,
  presentComment,
  presentPullRequestSummary,
  presentSending,
  presentVerdict,
} from './present-pull-request.ts';
export {
  BY_SERVICE,
  type ChangeSource,
  insertPullRequest,
  PullRequestChange,
} from './pull-request-change.ts';
export { selectPullRequests, summariesFor } from './pull-request-list-store.ts';
export { selectConversation, selectLinkedPlans, selectVerdicts } from './pull-request-parts-store.ts';
export {
  type FoundPullRequest,
  lockIdlePullRequests,
  type NewHead,
  type NewPullRequest,
  newestPullRequestOfBranch,
  type PullRequestRow,
  type PullRequestValues,
  selectHeads,
  selectPullRequest,
  selectPullRequestById,
  selectPullRequestByNumber,
  selectRecordedCommits,
  wasHead,
} from './pull-request-store.ts';
export { readPullRequest } from './read-pull-request.ts';
export { isRecheck, requestRecheck } from './recheck.ts';
export { insertVerdict, selectAuthorId } from './review-store.ts';
export { type ShownPerson, shownAuthor, shownPerson } from './shown-author-store.ts';
export { type ChangeServices, changePullRequest, changePullRequestAs } from './with-pull-request.ts';
