/**
 * Asks the owners of what a pull request changes, and when it is opened or becomes ready, whom its repository always asks. Drafts ask
 * nobody, and neither the author nor anyone who was asked or has answered is asked.
 */

import type { Db } from '../../../platform/db/index.ts';
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
  const isNew = pullRequest.reviewers_asked_at === null;
  if (isNew) change.set({ reviewers_asked_at: at });
  // The first reading of a pull request that is older than this feature asks nobody.
  const { teamIds, userIds } = wantedReviewers(settings, {
    ...{ asksAlways: isNew, asksOwners: isNew || !isFirstReading, owned },
  });
  if (userIds.size === 0 && teamIds.size === 0) return;
  const authorId = await selectAuthorId(db, pullRequest.id);
  const known = await selectKnownReviewers(db, pullRequest.id);
  const found = await possibleReviewers(db, { organizationId, repositoryId, authorId }, { userIds, teamIds });
  const people = found.people.filter(({ userId }) => !known.userIds.includes(userId));
  const teams = found.teams.filter(
    ({ memberIds, teamId }) =>
      !memberIds.some((id) => known.answeredIds.includes(id)) && !known.teamIds.includes(teamId),
  );
  if (people.length === 0 && teams.length === 0) return;
  await insertReviewRequests(
    db,
    pullRequest,
    [...people, ...teams.map(({ name, teamId }) => ({ name, teamId }))],
    at,
  );
  const isOwner = (id: string) => owned.some(({ owners }) => owners.some((owner) => owner.id === id));
  const ids = [...people.map(({ userId }) => userId), ...teams.map(({ teamId }) => teamId)];
  change.record('pull_request_review_requested', {
    userIds: people.map(({ userId }) => userId),
    teamIds: teams.map(({ teamId }) => teamId),
    ...(ids.every(isOwner) && { asOwners: true }),
  });
}

type ReviewSettings = Awaited<ReturnType<typeof selectReviewSettings>>;

/** Whom the repository always asks, and the owners of what is changed whose approval isn't optional. Pure. */
export function wantedReviewers(
  settings: ReviewSettings,
  { asksAlways, asksOwners, owned }: { asksAlways: boolean; asksOwners: boolean; owned: OwnedByNames[] },
): { userIds: Set<string>; teamIds: Set<string> } {
  const isOn = asksOwners && (settings.ask_owners ?? settings.is_plain_git);
  const owners = isOn ? owned.filter(({ required }) => required > 0).flatMap((each) => each.owners) : [];
  const idsOf = (kind: 'person' | 'team') =>
    [...new Set(owners.flatMap((owner) => (owner.kind === kind ? [owner.id!] : [])))].slice(
      0,
      MAX_OWNERS_ASKED,
    );
  return {
    userIds: new Set([...(asksAlways ? settings.user_ids : []), ...idsOf('person')]),
    teamIds: new Set([...(asksAlways ? settings.team_ids : []), ...idsOf('team')]),
  };
}

/** Those of them who can see the repository, but never the author, and no team that has nobody else. */
export async function possibleReviewers(
  db: Db,
  place: { organizationId: string; repositoryId: string; authorId: string | null },
  { teamIds, userIds }: { userIds: ReadonlySet<string>; teamIds: ReadonlySet<string> },
): Promise<{
  people: { userId: string; name: string }[];
  teams: { teamId: string; name: string; memberIds: string[] }[];
}> {
  const { authorId, organizationId, repositoryId } = place;
  const members = await membersOf(db, [...teamIds]);
  const possible = await selectPossibleReviewers(db, repositoryId, [
    ...new Set([...userIds, ...[...members.values()].flat()]),
  ]);
  const names = await selectTeamNames(db, organizationId, [...teamIds]);
  return {
    people: [...userIds].flatMap((userId) =>
      userId !== authorId && possible.has(userId) ? [{ userId, name: possible.get(userId)! }] : [],
    ),
    teams: [...teamIds].flatMap((teamId) => {
      const name = names.get(teamId);
      const memberIds = (members.get(teamId) ?? []).filter((id) => id !== authorId && possible.has(id));
      return name !== undefined && memberIds.length > 0 ? [{ teamId, name, memberIds }] : [];
    }),
  };
}
