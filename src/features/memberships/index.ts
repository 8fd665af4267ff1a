/** The public interface of memberships. */
export { holdActivations, holdMembership, isOnlyActivePerson, type Owner } from './membership-store.ts';
