/** The public interface of accounts. */
export {
  anyOrganization,
  insertMembership,
  insertUser,
  isSingleSignOnOnly,
  selectMembers,
  selectMembershipsOf,
  selectOrganizations,
  selectUserByEmail,
} from './account-store.ts';
export { addMember } from './add-member.ts';
export { alterMember } from './change-member.ts';
export { resetPassword } from './change-password.ts';
export {
  Email,
  MAX_NAME_LENGTH,
  NewPassword,
  OrganizationName,
  PersonName,
  RoleName,
  SessionView,
} from './contract.ts';
export {
  alreadySetUp,
  createFirstOrganization,
  createOrganization,
  joinNewOrganization,
} from './create-organization.ts';
export { createSessionFinder, type SessionFinder } from './find-session.ts';
export { markAccepted } from './invitation-store.ts';
export { readMemberCursor } from './list-members.ts';
export { offerSetup } from './offer-setup.ts';
export { hashPassword, NO_PASSWORD } from './passwords.ts';
export {
  deleteExpiredSessions,
  deleteIdentitySessions,
  deletePasswordSessions,
  deleteSessionsOf,
  findSessionUser,
  isSingleSignOnSession,
  selectSessionIssuer,
} from './session-store.ts';
export { deleteOldAttempts } from './sign-in-attempt-store.ts';
export { signInHere } from './sign-in-here.ts';
export { presentSession, startSession } from './start-session.ts';
