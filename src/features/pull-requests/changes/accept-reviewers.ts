/** Checks who is asked for a review: active members and teams that can see the repository, and never its author. */
import { type FieldError, invalidRequest } from '../../../platform/core/errors/errors.ts';
import { membersOf, selectTeamNames } from '../../teams/index.ts';
import { selectAuthorId, selectPossibleReviewers } from '../store/review-store.ts';
import type { PullRequestChange } from './pull-request-change.ts';

export async function acceptReviewers(
  { db, pullRequest }: Pick<PullRequestChange, 'db' | 'pullRequest'>,
  { teamIds = [], userIds = [] }: { userIds?: string[] | undefined; teamIds?: string[] | undefined },
  /** The field of the request that a problem is about. */
  pathOf = (list: 'userIds' | 'teamIds', index: number) => `${list}[${index}]`,
): Promise<({ userId: string; name: string } | { teamId: string; name: string })[]> {
  const { id, organization_id: organizationId, repository_id: repositoryId } = pullRequest;
  if (userIds.length + teamIds.length === 0)
    throw invalidRequest([{ path: 'userIds', message: 'must name at least one member or team' }]);
  const teams = await selectTeamNames(db, organizationId, teamIds);
  const members = await membersOf(db, [...teams.keys()]);
  const people = [...new Set([...userIds, ...[...members.values()].flat()])];
  const possible = await selectPossibleReviewers(db, repositoryId, people);
  const authorId = await selectAuthorId(db, id);
  const errors = [
    ...userIds.flatMap((userId, index): FieldError[] => {
      const path = pathOf('userIds', index);
      if (userId === authorId) return [{ path, message: 'is the author of the pull request' }];
      if (possible.has(userId)) return [];
      return [{ path, message: 'is not an active member who can see the repository' }];
    }),
    ...teamIds.flatMap((teamId, index): FieldError[] => {
      const path = pathOf('teamIds', index);
      if (!teams.has(teamId)) return [{ path, message: 'is not a team' }];
      const others = (members.get(teamId) ?? []).filter((userId) => userId !== authorId);
      if (others.some((userId) => possible.has(userId))) return [];
      return [{ path, message: 'has no member but the author who can see the repository' }];
    }),
  ];
  if (errors.length > 0) throw invalidRequest(errors);
  return [
    ...[...new Set(userIds)].map((userId) => ({ userId, name: possible.get(userId)! })),
    ...[...new Set(teamIds)].map((teamId) => ({ teamId, name: teams.get(teamId)! })),
  ];
}
