/** Asks the people and teams for a review whom someone named when they opened a pull request. */
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { findPeopleByHandle } from '../../memberships/index.ts';
import { findTeamsByName } from '../../teams/index.ts';
import { acceptReviewers } from '../changes/accept-reviewers.ts';
import type { PullRequestChange } from '../changes/pull-request-change.ts';
import { insertReviewRequests } from '../store/review-store.ts';

/** Names with or without an at sign. Problems are those of `reviewers`. */
export async function askNamed(change: PullRequestChange, reviewers: string[]): Promise<void> {
  if (reviewers.length === 0) return;
  const { at, db, pullRequest } = change;
  const names = reviewers.map((name) => name.replace(/^@/, '').toLowerCase());
  const teams = await findTeamsByName(db, pullRequest.organization_id, names);
  const people = await findPeopleByHandle(db, pullRequest.organization_id, names);
  const unknown = names.flatMap((name, index) =>
    teams.has(name) || people.has(name)
      ? []
      : [{ path: `reviewers[${index}]`, message: 'is not a team, and no or more than one member' }],
  );
  if (unknown.length > 0) throw invalidRequest(unknown);
  const teamIds = [...new Set(names.flatMap((name) => teams.get(name)?.id ?? []))];
  const userIds = [...new Set(names.flatMap((name) => (teams.has(name) ? [] : (people.get(name) ?? []))))];
  const idOf = (name: string) => teams.get(name)?.id ?? people.get(name);
  const accepted = await acceptReviewers(
    change,
    { userIds, teamIds },
    (list, index) =>
      `reviewers[${names.findIndex((name) => idOf(name) === { userIds, teamIds }[list][index])}]`,
  );
  await insertReviewRequests(db, pullRequest, accepted, at);
  change.record('pull_request_review_requested', {
    userIds,
    ...(teamIds.length > 0 && { teamIds }),
  });
}
