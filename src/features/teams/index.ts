/** The public interface of teams. */
export { alterTeam, alterTeamMembers, followHostTeam, removeTeam } from './alter-team.ts';
export { CreateTeamInput, FollowHostTeamInput, TeamDetail } from './contract.ts';
export {
  fillHostTeam,
  readHostTeamsAgain,
  selectFollowers,
  selectHostTeamsDue,
  writeHostTeamProblem,
} from './host-team-store.ts';
export { makeTeam } from './make-team.ts';
export { readTeam } from './present-team.ts';
export { syncProviderTeams } from './provider-team-store.ts';
export {
  findTeamsByName,
  membersOf,
  selectTeamNames,
  selectTeamPeople,
  selectTeams,
} from './team-store.ts';
