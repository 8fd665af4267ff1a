/** The public interface of teams. */
export { makeTeam } from './make-team.ts';
export { syncProviderTeams } from './provider-team-store.ts';
export { findTeamsByName, membersOf, selectTeamNames } from './team-store.ts';
