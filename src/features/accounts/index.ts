/** The public interface of accounts. */
export {
  anyOrganization,
  selectMembers,
  selectMembershipsOf,
  selectOrganizations,
  selectUserByEmail,
} from './account-store.ts';
export { addMember } from './add-member.ts';
export { alterMember } from './change-member.ts';
export { resetPassword } from './change-password.ts';
export { Email, NewPassword, OrganizationName, PersonName, RoleName } from './contract.ts';
export {
  alreadySetUp,
  createFirstOrganization,
  createOrganization,
  joinNewOrganization,
} from './create-organization.ts';
export { createSessionFinder, type SessionFinder } from './find-session.ts';
export { offerSetup } from './offer-setup.ts';
export { hashPassword } from './passwords.ts';
export { deleteExpiredSessions } from './session-store.ts';
export { deleteOldAttempts } from './sign-in-attempt-store.ts';
