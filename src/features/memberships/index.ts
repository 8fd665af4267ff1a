/** The public interface of memberships. */
export {
  holdActivations,
  holdMembership,
  isOnlyActivePerson,
  type Owner,
  selectActiveByOrganization,
  selectActiveMembers,
} from './membership-store.ts';
