/** Every operation, in the order of the contract and then of the API page; nothing else. */
import {
  acceptInvitation,
  changeMember,
  changePassword,
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
} from './accounts/index.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys/index.ts';
import { listAuditEvents } from './audit/index.ts';
import type { Context } from './context.ts';
import type { Operation } from './core/operation.ts';
import { recordSessionEvent } from './planner-events/index.ts';

export const operations: readonly Operation<Context>[] = [
  recordSessionEvent, // endpoint 7

  getSetupState,
  setUp,
  signIn,
  getSession,
  signOut,
  switchOrganization,
  changePassword,
  listSessions,
  revokeSession,
  lookUpInvitation,
  acceptInvitation,

  createApiKey,
  listApiKeys,
  revokeApiKey,

  listMembers,
  changeMember,
  inviteMember,
  listInvitations,
  revokeInvitation,

  listAuditEvents,
];
