/** Who owns what a pull request changes, with the members and teams that the names in CODEOWNERS stand for now. */
import type { LineProblem, OwnedPaths, Owner } from '../../../engines/owners/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { findPeopleByHandle } from '../../memberships/index.ts';
import { findTeamsByName, membersOf } from '../../teams/index.ts';
import { selectPossibleReviewers } from '../store/review-store.ts';
import { selectMembersByLogin, selectStoredOwners } from './owners-store.ts';

/** `unknown`: the name stands for nobody who could review it. */
export interface ResolvedOwner {
  /** As the file has it. */
  written: string;
  kind: 'person' | 'team' | 'unknown';
  id: string | null;
  name: string;
  /** Members who can review in the repository. */
  memberIds: string[];
}

export interface OwnedByNames extends Omit<OwnedPaths, 'owners'> {
  owners: ResolvedOwner[];
}

export interface PullRequestOwners {
  /** Whether they were read for the present head and base. */
  isCurrent: boolean;
  /** Where CODEOWNERS is; null: there is none. */
  file: string | null;
  owned: OwnedByNames[];
  problems: LineProblem[];
}

const NOTHING_READ: PullRequestOwners = { isCurrent: false, file: null, owned: [], problems: [] };

export async function selectOwners(db: Db, pullRequestId: string): Promise<PullRequestOwners> {
  const row = await selectStoredOwners(db, pullRequestId);
  if (!row?.is_current) return NOTHING_READ;
  return {
    isCurrent: true,
    file: row.file,
    owned: await resolveOwners(db, row, row.owned as unknown as OwnedPaths[]),
    problems: row.problems as unknown as LineProblem[],
  };
}

export async function resolveOwners(db: Db, place: Place, owned: OwnedPaths[]): Promise<OwnedByNames[]> {
  const keys = new Set(owned.flatMap(({ owners }) => owners.map(keyOf)));
  const resolve = await resolver(db, place, [...keys]);
  return owned.map((each) => ({ ...each, owners: each.owners.map(resolve) }));
}

/** The repository that the names are in. */
interface Place {
  organization_id: string;
  repository_id: string;
  repository_name: string;
  code_host_id: string | null;
}

const keyOf = ({ kind, name }: Owner) => `${kind} ${name.toLowerCase()}`;

/**
 * On a code host, a name is a login there; elsewhere, a name that mentions someone here. `acme/core` is the team `core` in repositories of
 * `acme`. Roles are the host's, and nobody here is known to have one.
 */
async function resolver(db: Db, place: Place, keys: string[]): Promise<(owner: Owner) => ResolvedOwner> {
  const { organization_id: organizationId } = place;
  const written = keys.map((key) => key.split(' ', 2) as [Owner['kind'], string]);
  const names = written.flatMap(([kind, name]) => (kind === 'name' ? [name] : []));
  const emails = written.flatMap(([kind, name]) => (kind === 'email' ? [name] : []));
  const teamName = teamNamesIn(place.repository_name);
  const teams = await findTeamsByName(
    db,
    organizationId,
    names.flatMap((name) => teamName(name) ?? []),
  );
  const members = await membersOf(
    db,
    [...teams.values()].map(({ id }) => id),
  );
  const byHandle = await findPeopleByHandle(db, organizationId, [
    ...emails,
    ...(place.code_host_id === null ? names : []),
  ]);
  const byLogin =
    place.code_host_id === null
      ? new Map<string, string>()
      : await selectMembersByLogin(db, place.code_host_id, names);
  const userIds = [...byHandle.values(), ...byLogin.values(), ...[...members.values()].flat()];
  const possible = await selectPossibleReviewers(db, place.repository_id, [...new Set(userIds)], {
    withoutViewers: true,
  });
  return ({ kind, name }) => {
    const folded = name.toLowerCase();
    const team = kind === 'name' ? teams.get(teamName(folded) ?? '') : undefined;
    if (team) {
      const memberIds = (members.get(team.id) ?? []).filter((userId) => possible.has(userId));
      return { written: name, kind: 'team', id: team.id, name: team.name, memberIds };
    }
    const userId = kind === 'role' ? undefined : (byLogin.get(folded) ?? byHandle.get(folded));
    const shown = userId === undefined ? undefined : possible.get(userId);
    if (userId === undefined || shown === undefined)
      return { written: name, kind: 'unknown', id: null, name, memberIds: [] };
    return { written: name, kind: 'person', id: userId, name: shown, memberIds: [userId] };
  };
}

/** The name of the team here that an owner stands for; undefined for a team of another organization of the host. */
function teamNamesIn(repositoryName: string): (owner: string) => string | undefined {
  const folder = repositoryName.toLowerCase().split('/').slice(0, -1).join('/');
  return (owner) => {
    const at = owner.lastIndexOf('/');
    if (at === -1) return owner;
    return folder === '' || owner.slice(0, at) === folder ? owner.slice(at + 1) : undefined;
  };
}
