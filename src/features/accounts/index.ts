/** The public interface of accounts. */
export { acceptInvitation } from './accept-invitation.ts';
export {
  anyOrganization,
  selectMembers,
  selectMembershipsOf,
  selectOrganizations,
  selectUserByEmail,
} from './account-store.ts';
export { addMember } from './add-member.ts';
export { alterMember, changeMember } from './change-member.ts';
export { changePassword, resetPassword } from './change-password.ts';
export { changeProfile } from './change-profile.ts';
export { Email, NewPassword, OrganizationName, PersonName, RoleName } from './contract.ts';
export {
  alreadySetUp,
  createFirstOrganization,
  createOrganization,
  joinNewOrganization,
} from './create-organization.ts';
export { createSessionFinder, type SessionFinder } from './find-session.ts';
export { getSession } from './get-session.ts';
export { getSetupState } from './get-setup-state.ts';
export { inviteMember } from './invite-member.ts';
export { listInvitations } from './list-invitations.ts';
export { listMembers } from './list-members.ts';
export { listSessions } from './list-sessions.ts';
export { lookUpInvitation } from './look-up-invitation.ts';
export { offerSetup } from './offer-setup.ts';
export { hashPassword } from './passwords.ts';
export { revokeInvitation } from './revoke-invitation.ts';
export { revokeSession } from './revoke-session.ts';
export { deleteExpiredSessions } from './session-store.ts';
export { setUp } from './set-up.ts';
export { signIn } from './sign-in.ts';
export { deleteOldAttempts } from './sign-in-attempt-store.ts';
export { signOut } from './sign-out.ts';
export { switchOrganization } from './switch-organization.ts';
