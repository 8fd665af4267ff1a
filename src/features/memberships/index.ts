/** The public interface of memberships. */
export { findPeopleByHandle } from './handle-store.ts';
export {
  holdActivations,
  holdMembership,
  isOnlyActivePerson,
  type Owner,
  selectActiveByOrganization,
  selectActiveMembers,
} from './membership-store.ts';
