/** The list of all operations: those of the contract first, then the rest in the order of the API reference. */

import type { Context } from './context.ts';
import { acceptInvitation } from './features/accounts/invitations/accept-invitation.ts';
import { createInvitationLink } from './features/accounts/invitations/create-invitation-link.ts';
import { inviteMember } from './features/accounts/invitations/invite-member.ts';
import { inviteMembers } from './features/accounts/invitations/invite-members.ts';
import { listInvitationLinks } from './features/accounts/invitations/list-invitation-links.ts';
import { listInvitations } from './features/accounts/invitations/list-invitations.ts';
import { lookUpInvitation } from './features/accounts/invitations/look-up-invitation.ts';
import { lookUpInvitationLink } from './features/accounts/invitations/look-up-invitation-link.ts';
import { requestInvitation } from './features/accounts/invitations/request-invitation.ts';
import { revokeInvitation } from './features/accounts/invitations/revoke-invitation.ts';
import { revokeInvitationLink } from './features/accounts/invitations/revoke-invitation-link.ts';
import { changeMember } from './features/accounts/members/change-member.ts';
import { changeProfile } from './features/accounts/members/change-profile.ts';
import { getSetupState } from './features/accounts/members/get-setup-state.ts';
import { listMembers } from './features/accounts/members/list-members.ts';
import { setUp } from './features/accounts/members/set-up.ts';
import { changePassword } from './features/accounts/sessions/change-password.ts';
import { getSession } from './features/accounts/sessions/get-session.ts';
import { listSessions } from './features/accounts/sessions/list-sessions.ts';
import { revokeSession } from './features/accounts/sessions/revoke-session.ts';
import { signIn } from './features/accounts/sessions/sign-in.ts';
import { signOut } from './features/accounts/sessions/sign-out.ts';
import { switchOrganization } from './features/accounts/sessions/switch-organization.ts';
import { createApiKey } from './features/api-keys/create-api-key.ts';
import { listApiKeys } from './features/api-keys/list-api-keys.ts';
import { revokeApiKey } from './features/api-keys/revoke-api-key.ts';
import { searchArchitecture } from './features/architecture/find/search-architecture.ts';
import { searchSummaries } from './features/architecture/find/search-summaries.ts';
import { getArchitecture } from './features/architecture/reading/get-architecture.ts';
import { listNeighbours } from './features/architecture/reading/list-neighbours.ts';
import { listSummaries } from './features/architecture/reading/list-summaries.ts';
import { readRepository } from './features/architecture/reading/read-repository.ts';
import { findUses } from './features/architecture/uses/find-uses.ts';
import { exportAuditEvents } from './features/audit/export-audit-events.ts';
import { listAuditEvents } from './features/audit/list-audit-events.ts';
import { finishHostAccountLink } from './features/code-hosts/accounts/finish-host-account-link.ts';
import { followTeamOfHost } from './features/code-hosts/accounts/follow-host-team.ts';
import { linkHostAccount } from './features/code-hosts/accounts/link-host-account.ts';
import { listHostAccounts } from './features/code-hosts/accounts/list-host-accounts.ts';
import { listMyHostAccounts } from './features/code-hosts/accounts/list-my-host-accounts.ts';
import { startHostAccountLink } from './features/code-hosts/accounts/start-host-account-link.ts';
import { unlinkHostAccount } from './features/code-hosts/accounts/unlink-host-account.ts';
import { changeCodeHost } from './features/code-hosts/connections/change-code-host.ts';
import { connectCodeHost } from './features/code-hosts/connections/connect-code-host.ts';
import { disconnectCodeHost } from './features/code-hosts/connections/disconnect-code-host.ts';
import { finishGitHubApp } from './features/code-hosts/connections/finish-github-app.ts';
import { getCodeHost } from './features/code-hosts/connections/get-code-host.ts';
import { listCodeHosts } from './features/code-hosts/connections/list-code-hosts.ts';
import { startGitHubApp } from './features/code-hosts/connections/start-github-app.ts';
import { testCodeHost } from './features/code-hosts/connections/test-code-host.ts';
import { addHostRepositories } from './features/code-hosts/repositories/add-host-repositories.ts';
import { changeHostRepository } from './features/code-hosts/repositories/change-host-repository.ts';
import { listConnectedRepositories } from './features/code-hosts/repositories/list-connected-repositories.ts';
import { listHostRepositories } from './features/code-hosts/repositories/list-host-repositories.ts';
import { removeHostSelection } from './features/code-hosts/repositories/remove-host-selection.ts';
import { receiveHostWebhook } from './features/code-hosts/webhooks/receive-host-webhook.ts';
import { changeDiscussion } from './features/discussions/change-discussion.ts';
import { deleteComment } from './features/discussions/comments/delete-comment.ts';
import { listCommentEdits } from './features/discussions/comments/list-comment-edits.ts';
import { reactToComment } from './features/discussions/comments/react-to-comment.ts';
import { editDiscussionComment } from './features/discussions/edit-discussion-comment.ts';
import { getDiscussionsByBranch } from './features/discussions/get-discussions-by-branch.ts';
import { listDiscussions } from './features/discussions/list-discussions.ts';
import { openDiscussion } from './features/discussions/open-discussion.ts';
import { addPendingComment } from './features/discussions/pending/add-pending-comment.ts';
import { deletePendingComment } from './features/discussions/pending/delete-pending-comment.ts';
import { discardPendingComments } from './features/discussions/pending/discard-pending-comments.ts';
import { editPendingComment } from './features/discussions/pending/edit-pending-comment.ts';
import { listPendingComments } from './features/discussions/pending/list-pending-comments.ts';
import { submitPendingReview } from './features/discussions/pending/submit-pending-review.ts';
import { readBranchReview } from './features/discussions/read-branch-review.ts';
import { replyToDiscussion } from './features/discussions/reply-to-discussion.ts';
import { applySuggestions } from './features/discussions/suggestions/apply-suggestions.ts';
import { getFirstSteps } from './features/first-steps/get-first-steps.ts';
import { skipFirstStep } from './features/first-steps/skip-first-step.ts';
import { getImage } from './features/images/get-image.ts';
import { uploadImage } from './features/images/upload-image.ts';
import { getUnreadCount } from './features/inbox/get-unread-count.ts';
import { listInbox } from './features/inbox/list-inbox.ts';
import { markInboxRead } from './features/inbox/mark-inbox-read.ts';
import { changeMailSettings } from './features/mail/change-mail-settings.ts';
import { getMailSettings } from './features/mail/get-mail-settings.ts';
import { sendTestMail } from './features/mail/send-test-mail.ts';
import { unsubscribeFromMail } from './features/mail/unsubscribe-from-mail.ts';
import { findMentionable } from './features/mentions/find-mentionable.ts';
import { resolveReferences } from './features/mentions/resolve-references.ts';
import { changeModelSettings } from './features/models/change-model-settings.ts';
import { getModelSettings } from './features/models/get-model-settings.ts';
import { resetModelSettings } from './features/models/reset-model-settings.ts';
import { testModel } from './features/models/test-model.ts';
import { answerAgentSignIn } from './features/oauth/answer-agent-sign-in.ts';
import { getAgentSignIn } from './features/oauth/get-agent-sign-in.ts';
import { listAgents } from './features/oauth/list-agents.ts';
import { revokeAgent } from './features/oauth/revoke-agent.ts';
import { changeSwitch } from './features/organization-settings/change-switch.ts';
import { getReviewerConfig } from './features/organization-settings/get-reviewer-config.ts';
import { listExcludedPathChanges } from './features/organization-settings/list-excluded-path-changes.ts';
import { listExcludedPaths } from './features/organization-settings/list-excluded-paths.ts';
import { listSwitchChanges } from './features/organization-settings/list-switch-changes.ts';
import { listSwitches } from './features/organization-settings/list-switches.ts';
import { setExcludedPaths } from './features/organization-settings/set-excluded-paths.ts';
import { getPlannerSession } from './features/planner-events/get-planner-session.ts';
import { recordSessionEvent } from './features/planner-events/record-session-event.ts';
import { listPlanActivity } from './features/plans/activity/list-plan-activity.ts';
import { streamPlanChanges } from './features/plans/activity/stream-plan-changes.ts';
import { waitForPlanChanges } from './features/plans/activity/wait-for-plan-changes.ts';
import { closePlan } from './features/plans/changes/close-plan.ts';
import { deletePlan } from './features/plans/changes/delete-plan.ts';
import { linkPullRequest } from './features/plans/changes/link-pull-request.ts';
import { markPlanImplemented } from './features/plans/changes/mark-plan-implemented.ts';
import { reopenPlan } from './features/plans/changes/reopen-plan.ts';
import { submitPlan } from './features/plans/changes/submit-plan.ts';
import { addPlanComment } from './features/plans/comments/add-plan-comment.ts';
import { changePlanComment } from './features/plans/comments/change-plan-comment.ts';
import { listPlanComments } from './features/plans/comments/list-plan-comments.ts';
import { listPlanThreads } from './features/plans/comments/list-plan-threads.ts';
import { mutePlanThread } from './features/plans/comments/mute-plan-thread.ts';
import { unmutePlanThread } from './features/plans/comments/unmute-plan-thread.ts';
import { comparePlanVersions } from './features/plans/reading/compare-plan-versions.ts';
import { getPlan } from './features/plans/reading/get-plan.ts';
import { getPlanVersion } from './features/plans/reading/get-plan-version.ts';
import { getReviewCounts } from './features/plans/reading/get-review-counts.ts';
import { listOverlappingPlans } from './features/plans/reading/list-overlapping-plans.ts';
import { listPlans } from './features/plans/reading/list-plans.ts';
import { approvePlan } from './features/plans/reviews/approve-plan.ts';
import { requestPlanChanges } from './features/plans/reviews/request-plan-changes.ts';
import { requestPlanReview } from './features/plans/reviews/request-plan-review.ts';
import { withdrawPlanApproval } from './features/plans/reviews/withdraw-plan-approval.ts';
import { exportOrganization } from './features/privacy/export-organization.ts';
import { listPullRequestActivity } from './features/pull-requests/activity/list-pull-request-activity.ts';
import { streamPullRequestChanges } from './features/pull-requests/activity/stream-pull-request-changes.ts';
import { waitForPullRequestChanges } from './features/pull-requests/activity/wait-for-pull-request-changes.ts';
import { changeAssignees } from './features/pull-requests/changes/change-assignees.ts';
import { changeLabels } from './features/pull-requests/changes/change-labels.ts';
import { commentOnPullRequest } from './features/pull-requests/changes/comment-on-pull-request.ts';
import { dismissReview } from './features/pull-requests/changes/dismiss-review.ts';
import { editComment } from './features/pull-requests/changes/edit-comment.ts';
import { requestPullRequestReview } from './features/pull-requests/changes/request-pull-request-review.ts';
import { reviewPullRequest } from './features/pull-requests/changes/review-pull-request.ts';
import { comparePullRequestHeads } from './features/pull-requests/files/compare-pull-request-heads.ts';
import { compareSubmodule } from './features/pull-requests/files/compare-submodule.ts';
import { getFileDiff } from './features/pull-requests/files/get-file-diff.ts';
import { listPullRequestCommits } from './features/pull-requests/files/list-pull-request-commits.ts';
import { listPullRequestFiles } from './features/pull-requests/files/list-pull-request-files.ts';
import { endMergeWhenReady } from './features/pull-requests/merge-when-ready/end-merge-when-ready.ts';
import { setMergeWhenReady } from './features/pull-requests/merge-when-ready/set-merge-when-ready.ts';
import { checkPush } from './features/pull-requests/merging/check-push.ts';
import { deleteHeadBranch } from './features/pull-requests/merging/delete-head-branch.ts';
import { getMergeMessages } from './features/pull-requests/merging/get-merge-messages.ts';
import { listMergeConflicts } from './features/pull-requests/merging/list-merge-conflicts.ts';
import { mergePullRequest } from './features/pull-requests/merging/merge-pull-request.ts';
import { resolveMergeConflicts } from './features/pull-requests/merging/resolve-merge-conflicts.ts';
import { restoreHeadBranch } from './features/pull-requests/merging/restore-head-branch.ts';
import { revertPullRequest } from './features/pull-requests/merging/revert-pull-request.ts';
import { updateHeadBranch } from './features/pull-requests/merging/update-head-branch.ts';
import { changeReviewSettings } from './features/pull-requests/owners/change-review-settings.ts';
import { getPullRequestOwners } from './features/pull-requests/owners/get-pull-request-owners.ts';
import { getReviewSettings } from './features/pull-requests/owners/get-review-settings.ts';
import { listExpectedReviewers } from './features/pull-requests/owners/list-expected-reviewers.ts';
import { changePullRequest } from './features/pull-requests/plain-git/change-pull-request.ts';
import { openPullRequest } from './features/pull-requests/plain-git/open-pull-request.ts';
import { markFileViewed } from './features/pull-requests/readers/mark-file-viewed.ts';
import { markHeadSeen } from './features/pull-requests/readers/mark-head-seen.ts';
import { mutePullRequest } from './features/pull-requests/readers/mute-pull-request.ts';
import { unmutePullRequest } from './features/pull-requests/readers/unmute-pull-request.ts';
import { getPullRequest } from './features/pull-requests/reading/get-pull-request.ts';
import { getPullRequestCounts } from './features/pull-requests/reading/get-pull-request-counts.ts';
import { listLabels } from './features/pull-requests/reading/list-labels.ts';
import { listPullRequests } from './features/pull-requests/reading/list-pull-requests.ts';
import { deleteMergeRule } from './features/pull-requests/rules/delete-merge-rule.ts';
import { listMergeRules } from './features/pull-requests/rules/list-merge-rules.ts';
import { setMergeRule } from './features/pull-requests/rules/set-merge-rule.ts';
import { setCommitStatus } from './features/pull-requests/statuses/set-commit-status.ts';
import { blameFile } from './features/remote-fs/blame-file.ts';
import { findSymbol } from './features/remote-fs/find-symbol.ts';
import { grepCode } from './features/remote-fs/grep-code.ts';
import { listLastCommits } from './features/remote-fs/list-last-commits.ts';
import { listTree } from './features/remote-fs/list-tree.ts';
import { readFile } from './features/remote-fs/read-file.ts';
import { readFileHistory } from './features/remote-fs/read-file-history.ts';
import { readImage } from './features/remote-fs/read-image.ts';
import { searchAllCode } from './features/remote-fs/search-all-code.ts';
import { searchCode } from './features/remote-fs/search-code.ts';
import { searchCommits } from './features/remote-fs/search-commits.ts';
import { searchFiles } from './features/remote-fs/search-files.ts';
import { addRepository } from './features/repositories/add-repository.ts';
import { changeRepository } from './features/repositories/change-repository.ts';
import { getPushUrl } from './features/repositories/get-push-url.ts';
import { getRepository } from './features/repositories/get-repository.ts';
import { listRefs } from './features/repositories/list-refs.ts';
import { listRepositories } from './features/repositories/list-repositories.ts';
import { notePush } from './features/repositories/note-push.ts';
import { refreshRepository } from './features/repositories/refresh-repository.ts';
import { removeRepository } from './features/repositories/remove-repository.ts';
import { streamRepositoryChanges } from './features/repositories/stream-repository-changes.ts';
import { cancelReviewTrial } from './features/review-trials/cancel-review-trial.ts';
import { getReviewTrial } from './features/review-trials/get-review-trial.ts';
import { listReviewTrials } from './features/review-trials/list-review-trials.ts';
import { startReviewTrial } from './features/review-trials/start-review-trial.ts';
import { activateReviewerVersion } from './features/reviewers/editing/activate-reviewer-version.ts';
import { addReviewerVersion } from './features/reviewers/editing/add-reviewer-version.ts';
import { changeReviewer } from './features/reviewers/editing/change-reviewer.ts';
import { createReviewer } from './features/reviewers/editing/create-reviewer.ts';
import { deleteReviewer } from './features/reviewers/editing/delete-reviewer.ts';
import { getReviewer } from './features/reviewers/editing/get-reviewer.ts';
import { getReviewerVersion } from './features/reviewers/editing/get-reviewer-version.ts';
import { listReviewerVersions } from './features/reviewers/editing/list-reviewer-versions.ts';
import { listReviewers } from './features/reviewers/editing/list-reviewers.ts';
import { previewRuleMatches } from './features/reviewers/editing/preview-rule-matches.ts';
import { previewReviewerFiles } from './features/reviewers/files/preview-reviewer-files.ts';
import { finishReview } from './features/reviews/agents/finish-review.ts';
import { markReviewServed } from './features/reviews/agents/mark-review-served.ts';
import { reportReviewFinding } from './features/reviews/agents/report-review-finding.ts';
import { startReview } from './features/reviews/agents/start-review.ts';
import { verifyFindings } from './features/reviews/agents/verify-findings.ts';
import { dismissFinding } from './features/reviews/decisions/dismiss-finding.ts';
import { listDismissals } from './features/reviews/decisions/list-dismissals.ts';
import { previewDismissal } from './features/reviews/decisions/preview-dismissal.ts';
import { undoDismissal } from './features/reviews/decisions/undo-dismissal.ts';
import { getReviewFigures } from './features/reviews/runs/get-review-figures.ts';
import { getReviewRun } from './features/reviews/runs/get-review-run.ts';
import { listReviewRuns } from './features/reviews/runs/list-review-runs.ts';
import { listUntestedExports } from './features/reviews/runs/list-untested-exports.ts';
import { requestReviewRun } from './features/reviews/runs/request-review-run.ts';
import { allowIdentityLink } from './features/single-sign-on/identities/allow-identity-link.ts';
import { getMyIdentity } from './features/single-sign-on/identities/get-my-identity.ts';
import { listIdentities } from './features/single-sign-on/identities/list-identities.ts';
import { unlinkIdentity } from './features/single-sign-on/identities/unlink-identity.ts';
import { changeSingleSignOn } from './features/single-sign-on/settings/change-single-sign-on.ts';
import { getSingleSignOn } from './features/single-sign-on/settings/get-single-sign-on.ts';
import { listSignInMethods } from './features/single-sign-on/settings/list-sign-in-methods.ts';
import { testSingleSignOn } from './features/single-sign-on/settings/test-single-sign-on.ts';
import { finishSingleSignOn } from './features/single-sign-on/signing-in/finish-single-sign-on.ts';
import { receiveLogout } from './features/single-sign-on/signing-in/receive-logout.ts';
import { startIdentityLink } from './features/single-sign-on/signing-in/start-identity-link.ts';
import { startSingleSignOn } from './features/single-sign-on/signing-in/start-single-sign-on.ts';
import { checkSystem } from './features/system/check-system.ts';
import { getSystem } from './features/system/get-system.ts';
import { listFailedJobs } from './features/system/list-failed-jobs.ts';
import { runJobsAgain } from './features/system/run-jobs-again.ts';
import { changeTeam } from './features/teams/change-team.ts';
import { changeTeamMembers } from './features/teams/change-team-members.ts';
import { createTeam } from './features/teams/create-team.ts';
import { deleteTeam } from './features/teams/delete-team.ts';
import { getTeam } from './features/teams/get-team.ts';
import { listTeams } from './features/teams/list-teams.ts';
import { getRepositoryWatch } from './features/watching/get-repository-watch.ts';
import { listWatches } from './features/watching/list-watches.ts';
import { unwatchRepository } from './features/watching/unwatch-repository.ts';
import { watchRepository } from './features/watching/watch-repository.ts';
import { changeWebhook } from './features/webhooks/change-webhook.ts';
import { createWebhook } from './features/webhooks/create-webhook.ts';
import { deleteWebhook } from './features/webhooks/delete-webhook.ts';
import { getWebhookDelivery } from './features/webhooks/get-webhook-delivery.ts';
import { listWebhookDeliveries } from './features/webhooks/list-webhook-deliveries.ts';
import { listWebhooks } from './features/webhooks/list-webhooks.ts';
import { resendWebhookDelivery } from './features/webhooks/resend-webhook-delivery.ts';
import { rotateWebhookSecret } from './features/webhooks/rotate-webhook-secret.ts';
import { testWebhook } from './features/webhooks/test-webhook.ts';
import type { Operation } from './platform/core/operations/operation.ts';

export const operations: readonly Operation<Context>[] = [
  getReviewerConfig, // endpoint 1
  listReviewers, // endpoint 2
  getDiscussionsByBranch, // endpoint 3
  searchFiles, // endpoint 4
  grepCode, // endpoint 5
  searchSummaries, // endpoint 6
  recordSessionEvent, // endpoint 7
  submitPlan, // endpoint 8
  listPlanComments, // endpoint 9
  addPlanComment, // endpoint 10
  changePlanComment, // endpoint 11
  linkPullRequest, // endpoint 12

  listPlans,
  getReviewCounts,
  getPlan,
  getPlanVersion,
  comparePlanVersions,
  listPlanThreads,
  mutePlanThread,
  unmutePlanThread,
  approvePlan,
  requestPlanChanges,
  withdrawPlanApproval,
  markPlanImplemented,
  closePlan,
  reopenPlan,
  deletePlan,
  requestPlanReview,
  listPlanActivity,
  listOverlappingPlans,
  waitForPlanChanges,
  streamPlanChanges,
  getPlannerSession,

  listPullRequests,
  getPullRequestCounts,
  openPullRequest,
  getPullRequest,
  changePullRequest,
  changeLabels,
  changeAssignees,
  listLabels,
  getMergeMessages,
  mergePullRequest,
  setMergeWhenReady,
  endMergeWhenReady,
  revertPullRequest,
  updateHeadBranch,
  deleteHeadBranch,
  restoreHeadBranch,
  listMergeConflicts,
  resolveMergeConflicts,
  checkPush,
  reviewPullRequest,
  dismissReview,
  requestPullRequestReview,
  getPullRequestOwners,
  getReviewSettings,
  listExpectedReviewers,
  changeReviewSettings,
  commentOnPullRequest,
  setCommitStatus,
  listPullRequestActivity,
  waitForPullRequestChanges,
  streamPullRequestChanges,
  listDiscussions,
  readBranchReview,
  openDiscussion,
  applySuggestions,
  replyToDiscussion,
  changeDiscussion,
  dismissFinding,
  previewDismissal,
  listDismissals,
  undoDismissal,
  startReview,
  markReviewServed,
  reportReviewFinding,
  verifyFindings,
  finishReview,
  listReviewRuns,
  getReviewFigures,
  listReviewTrials,
  getReviewTrial,
  startReviewTrial,
  cancelReviewTrial,
  requestReviewRun,
  getReviewRun,
  listUntestedExports,
  editDiscussionComment,
  editComment,
  deleteComment,
  listCommentEdits,
  reactToComment,
  uploadImage,
  getImage,
  listPendingComments,
  addPendingComment,
  editPendingComment,
  deletePendingComment,
  discardPendingComments,
  submitPendingReview,
  listPullRequestCommits,
  listPullRequestFiles,
  comparePullRequestHeads,
  compareSubmodule,
  getFileDiff,
  markFileViewed,
  markHeadSeen,
  mutePullRequest,
  unmutePullRequest,

  createReviewer,
  previewReviewerFiles,
  previewRuleMatches,
  getReviewer,
  changeReviewer,
  deleteReviewer,
  listReviewerVersions,
  addReviewerVersion,
  getReviewerVersion,
  activateReviewerVersion,

  listRepositories,
  addRepository,
  getRepository,
  changeRepository,
  removeRepository,
  refreshRepository,
  listRefs,
  streamRepositoryChanges,
  getPushUrl,
  notePush,
  receiveHostWebhook,

  searchArchitecture,
  listSummaries,
  getArchitecture,
  findUses,
  listNeighbours,
  readRepository,

  searchCode,
  searchCommits,
  searchAllCode,
  findSymbol,
  listTree,
  listLastCommits,
  readFile,
  readImage,
  blameFile,
  readFileHistory,

  getSetupState,
  setUp,
  signIn,
  getSession,
  signOut,
  switchOrganization,
  changePassword,
  changeProfile,
  listSessions,
  revokeSession,
  lookUpInvitation,
  lookUpInvitationLink,
  requestInvitation,
  acceptInvitation,

  createApiKey,
  listApiKeys,
  revokeApiKey,

  getAgentSignIn,
  answerAgentSignIn,
  listAgents,
  revokeAgent,
  listSignInMethods,
  startSingleSignOn,
  finishSingleSignOn,
  getMyIdentity,
  startIdentityLink,
  getSingleSignOn,
  changeSingleSignOn,
  testSingleSignOn,
  listIdentities,
  allowIdentityLink,
  unlinkIdentity,
  receiveLogout,

  listMembers,
  changeMember,
  inviteMember,
  inviteMembers,
  createInvitationLink,
  listInvitationLinks,
  revokeInvitationLink,
  listInvitations,
  revokeInvitation,

  listSwitches,
  changeSwitch,
  listSwitchChanges,
  getModelSettings,
  changeModelSettings,
  resetModelSettings,
  testModel,
  listExcludedPaths,
  setExcludedPaths,
  listMergeRules,
  setMergeRule,
  deleteMergeRule,
  listExcludedPathChanges,
  listAuditEvents,
  exportAuditEvents,
  exportOrganization,

  listInbox,
  getFirstSteps,
  skipFirstStep,
  getUnreadCount,
  markInboxRead,
  resolveReferences,
  findMentionable,
  getRepositoryWatch,
  watchRepository,
  unwatchRepository,
  listWatches,
  getMailSettings,
  changeMailSettings,
  sendTestMail,
  unsubscribeFromMail,

  listCodeHosts,
  connectCodeHost,
  startGitHubApp,
  finishGitHubApp,
  getCodeHost,
  changeCodeHost,
  testCodeHost,
  disconnectCodeHost,
  listHostRepositories,
  addHostRepositories,
  removeHostSelection,
  listConnectedRepositories,
  changeHostRepository,
  listHostAccounts,
  linkHostAccount,
  unlinkHostAccount,
  listMyHostAccounts,
  startHostAccountLink,
  finishHostAccountLink,

  listTeams,
  getTeam,
  createTeam,
  changeTeam,
  changeTeamMembers,
  followTeamOfHost,
  deleteTeam,

  listWebhooks,
  createWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  resendWebhookDelivery,

  getSystem,
  checkSystem,
  listFailedJobs,
  runJobsAgain,
];
