/** The public interface of pull requests. */

export { BY_SERVICE, type ChangeServices, type ChangeSource } from '../events/index.ts';
export { ownTopic, reactionsTopic } from './activity/hints.ts';
export { authorOfPush } from './changes/author-of-push.ts';
export {
  insertPullRequest,
  PullRequestChange,
} from './changes/pull-request-change.ts';
export { isRecheck, requestRecheck } from './changes/recheck.ts';
export { recordReview } from './changes/record-review.ts';
export { refuseOtherText } from './changes/refuse-other-text.ts';
export { withPullRequest, withPullRequestAs } from './changes/with-pull-request.ts';
export {
  ACTIVE_PULL_REQUEST_STATES,
  LIMITS,
  MERGE_ROLES,
  PULL_REQUEST_STATES,
  PullRequest,
  SetMergeRuleInput,
} from './contract.ts';
export { isOfPullRequest } from './files/is-of-pull-request.ts';
export { recordMergeability } from './mergeability/record-mergeability.ts';
export { approvalByOwners, type MissingOwners, type OwnersApproval } from './ownership/missing-owners.ts';
export { type PullRequestOwners, selectOwners } from './ownership/select-owners.ts';
export { createPlainGitFollower, type PlainGitFollower } from './plain-git/follow-plain-git.ts';
export { type BranchesToReview, openPlainGit } from './plain-git/open-plain-git.ts';
export { findPullRequest } from './reading/find-pull-request.ts';
export {
  presentAuthor,
  presentComment,
  presentDeletedComment,
  presentPullRequestSummary,
  presentSending,
  presentVerdict,
} from './reading/present-pull-request.ts';
export { presentReactions, takesReactions } from './reading/present-reactions.ts';
export { readPullRequest } from './reading/read-pull-request.ts';
export { selectMergeRules } from './rules/merge-rule-store.ts';
export { mergeabilityOf } from './rules/mergeability-of.ts';
export { protectedBecause } from './rules/protected-head.ts';
export { type ReadRequirements, readMergeRequirements } from './rules/read-merge-requirements.ts';
export { type RuleInput, removeMergeRule, saveMergeRule } from './rules/save-merge-rule.ts';
export { recordHostStatuses } from './statuses/record-host-statuses.ts';
export {
  type CommentAuthor,
  type DeletedCommentRow,
  deleteComments,
  insertComment,
  keepCommentText,
  type NewComment,
  replaceByDeleted,
  selectCommentEdits,
  selectCommentOf,
  selectDeletedComments,
  updateComment,
} from './store/comment-store.ts';
export { claimDueReviews, claimUnjudged } from './store/due-store.ts';
export { isBeingMerged } from './store/merge-store.ts';
export { selectPullRequests, summariesFor } from './store/pull-request-list-store.ts';
export { selectConversation, selectLinkedPlans, selectVerdicts } from './store/pull-request-parts-store.ts';
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
} from './store/pull-request-store.ts';
export {
  deleteReaction,
  insertReaction,
  type ReactionRow,
  selectReactions,
} from './store/reaction-store.ts';
export {
  countRemovalAttempt,
  deleteRemovals,
  insertRemoval,
  type RemovalRow,
  selectRemovals,
} from './store/removal-store.ts';
export {
  deleteReviewRequestsById,
  insertReviewRequests,
  insertVerdict,
  selectAuthorId,
  updateVerdict,
} from './store/review-store.ts';
export {
  authorMember,
  authorName,
  type ShownPerson,
  shownAuthor,
  shownPerson,
} from './store/shown-author-store.ts';
export {
  type AppliedSuggestion,
  deleteSuggestionCommit,
  insertSuggestionCommit,
  markSuggestionsApplied,
  selectAppliedSuggestions,
} from './store/suggestion-commit-store.ts';
