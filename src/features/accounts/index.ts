/** The public interface of accounts. */

export {
  Email,
  MAX_NAME_LENGTH,
  NewPassword,
  OrganizationName,
  PersonName,
  RoleName,
  SessionView,
} from './contract.ts';
export { addMember } from './members/add-member.ts';
export { alterMember } from './members/change-member.ts';
export {
  alreadySetUp,
  createFirstOrganization,
  createOrganization,
  joinNewOrganization,
} from './members/create-organization.ts';
export { readMemberCursor } from './members/list-members.ts';
export { offerSetup } from './members/offer-setup.ts';
export { resetPassword } from './sessions/change-password.ts';
export { createSessionFinder, type SessionFinder } from './sessions/find-session.ts';
export { hashPassword, NO_PASSWORD } from './sessions/passwords.ts';
export { signInHere } from './sessions/sign-in-here.ts';
export { presentSession, startSession } from './sessions/start-session.ts';
export {
  anyOrganization,
  insertMembership,
  insertUser,
  isSingleSignOnOnly,
  selectMembers,
  selectMembershipsOf,
  selectOrganizations,
  selectUserByEmail,
  updateMembershipAccess,
  updateSingleSignOnOnly,
} from './store/account-store.ts';
export { closeAccount, deleteAccounts } from './store/closed-account-store.ts';
export { markAccepted } from './store/invitation-store.ts';
export {
  deleteIdentitySessions,
  deletePasswordSessions,
  deleteSessionsOf,
  findSessionUser,
  isSingleSignOnSession,
  selectSessionIssuer,
} from './store/session-store.ts';
