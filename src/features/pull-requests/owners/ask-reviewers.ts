/**
 * Asks the owners of what a pull request changes, and when it is opened or becomes ready, whom its repository always asks. Drafts ask
 * nobody, and neither the author nor anyone who was asked or has answered is asked.
 */
import { membersOf, selectTeamNames } from '../../teams/index.ts';
import type { PullRequestChange } from '../changes/pull-request-change.ts';
import type { OwnedByNames } from '../ownership/select-owners.ts';
import { insertReviewRequests, selectAuthorId, selectPossibleReviewers } from '../store/review-store.ts';
import { selectKnownReviewers, selectReviewSettings } from './review-settings-store.ts';

/** A rule for everybody would flood inboxes. */
const MAX_OWNERS_ASKED = 20;

export async function askReviewers(
  change: PullRequestChange,
  { isFirstReading, owned }: { isFirstReading: boolean; owned: OwnedByNames[] },
): Promise<void> {
  const { at, db, pullRequest } = change;
  const { organization_id: organizationId, repository_id: repositoryId } = pullRequest;
  if (pullRequest.state !== 'open') return;
  const settings = await selectReviewSettings(db, repositoryId);
  const userIds = new Set<string>();
  const teamIds = new Set<string>();
  const isNew = pullRequest.reviewers_asked_at === null;
  if (isNew) {
    for (const userId of settings.user_ids) userIds.add(userId);
    for (const teamId of settings.team_ids) teamIds.add(teamId);
    change.set({ reviewers_asked_at: at });
  }
  // The first reading of a pull request that is older than this feature asks nobody.
  if ((isNew || !isFirstReading) && (settings.ask_owners ?? settings.is_plain_git)) {
    const owners = owned.filter(({ required }) => required > 0).flatMap((each) => each.owners);
    const idsOf = (kind: 'person' | 'team') =>
      [...new Set(owners.flatMap((owner) => (owner.kind === kind ? [owner.id!] : [])))].slice(
        0,
        MAX_OWNERS_ASKED,
      );
    for (const userId of idsOf('person')) userIds.add(userId);
    for (const teamId of idsOf('team')) teamIds.add(teamId);
  }
  if (userIds.size === 0 && teamIds.size === 0) return;
  const authorId = await selectAuthorId(db, pullRequest.id);
  const known = await selectKnownReviewers(db, pullRequest.id);
  const members = await membersOf(db, [...teamIds]);
  const possible = await selectPossibleReviewers(db, repositoryId, [
    ...new Set([...userIds, ...[...members.values()].flat()]),
  ]);
  const people = [...userIds].filter(
    (userId) => userId !== authorId && possible.has(userId) && !known.userIds.includes(userId),
  );
  const names = await selectTeamNames(db, organizationId, [...teamIds]);
  const teams = [...teamIds].filter((teamId) => {
    const others = (members.get(teamId) ?? []).filter((id) => id !== authorId && possible.has(id));
    const hasAnswered = others.some((id) => known.answeredIds.includes(id));
    return names.has(teamId) && others.length > 0 && !hasAnswered && !known.teamIds.includes(teamId);
  });
  if (people.length === 0 && teams.length === 0) return;
  await insertReviewRequests(
    db,
    pullRequest,
    [
      ...people.map((userId) => ({ userId, name: possible.get(userId)! })),
      ...teams.map((teamId) => ({ teamId, name: names.get(teamId)! })),
    ],
    at,
  );
  change.record('pull_request_review_requested', { userIds: people, teamIds: teams });
}
