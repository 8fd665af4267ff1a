/** Every operation, in the order of the contract and then of the API page; nothing else. */

import type { Context } from './context.ts';
import {
  acceptInvitation,
  changeMember,
  changePassword,
  changeProfile,
  getSession,
  getSetupState,
  inviteMember,
  listInvitations,
  listMembers,
  listSessions,
  lookUpInvitation,
  revokeInvitation,
  revokeSession,
  setUp,
  signIn,
  signOut,
  switchOrganization,
} from './features/accounts/index.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './features/api-keys/index.ts';
import { exportAuditEvents, listAuditEvents } from './features/audit/index.ts';
import { getUnreadCount, listInbox, markInboxRead } from './features/inbox/index.ts';
import { answerAgentSignIn, getAgentSignIn, listAgents, revokeAgent } from './features/oauth/index.ts';
import { getPlannerSession, recordSessionEvent } from './features/planner-events/index.ts';
import {
  addPlanComment,
  approvePlan,
  changePlanComment,
  closePlan,
  comparePlanVersions,
  deletePlan,
  getPlan,
  getPlanVersion,
  getReviewCounts,
  linkPullRequest,
  listOverlappingPlans,
  listPlanActivity,
  listPlanComments,
  listPlans,
  listPlanThreads,
  markPlanImplemented,
  mutePlanThread,
  reopenPlan,
  requestPlanChanges,
  requestPlanReview,
  streamPlanChanges,
  submitPlan,
  unmutePlanThread,
  waitForPlanChanges,
  withdrawPlanApproval,
} from './features/plans/index.ts';
import { grepCode, listTree, readFile, searchCode, searchFiles } from './features/remote-fs/index.ts';
import {
  addRepository,
  changeRepository,
  getPushUrl,
  getRepository,
  listRefs,
  listRepositories,
  notePush,
  refreshRepository,
  removeRepository,
  streamRepositoryChanges,
} from './features/repositories/index.ts';
import { changeSwitch, listSwitches } from './features/switches/index.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhooks,
  resendWebhookDelivery,
  rotateWebhookSecret,
} from './features/webhooks/index.ts';
import type { Operation } from './platform/core/operation.ts';

export const operations: readonly Operation<Context>[] = [
  searchFiles, // endpoint 4
  grepCode, // endpoint 5
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

  searchCode,
  listTree,
  readFile,

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
  acceptInvitation,

  createApiKey,
  listApiKeys,
  revokeApiKey,

  getAgentSignIn,
  answerAgentSignIn,
  listAgents,
  revokeAgent,

  listMembers,
  changeMember,
  inviteMember,
  listInvitations,
  revokeInvitation,

  listSwitches,
  changeSwitch,
  listAuditEvents,
  exportAuditEvents,

  listInbox,
  getUnreadCount,
  markInboxRead,

  listWebhooks,
  createWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  listWebhookDeliveries,
  getWebhookDelivery,
  resendWebhookDelivery,
];
