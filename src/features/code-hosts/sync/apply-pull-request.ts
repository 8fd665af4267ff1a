/** Syncs a pull request with what its code host says about it as a whole: texts, state, branches, heads, who is asked. */
import type { Account, PullRequest } from '../../../engines/code-hosts/index.ts';
import { storable } from '../../../platform/core/text/storable.ts';
import type { PullRequestChange } from '../../pull-requests/index.ts';
import { deleteReviewRequestsById, insertReviewRequests } from '../../pull-requests/index.ts';
import { selectFollowers } from '../../teams/index.ts';
import type { KnownAccount } from '../accounts/host-account-store.ts';
import { selectAnswered, selectHostRequests } from './stored-state-store.ts';

export type Accounts = Map<string, KnownAccount>;

/** Read from our copy of the repository; null: not known yet. */
export interface HeadFacts {
  mergeBase: string | null;
  forced: boolean | null;
  /** Who wrote the newest commit; undefined for a head that is not new. */
  author?: string | undefined;
}

export async function applyPullRequest(
  change: PullRequestChange,
  theirs: PullRequest,
  context: { accounts: Accounts; codeHostId: string; facts: HeadFacts; fullName: string },
): Promise<void> {
  applyTexts(change, theirs, context.fullName);
  await applyHead(change, theirs, context.facts);
  const { closedAt, mergedAt, state } = theirs;
  change.setState(state, {}, mergedAt ?? closedAt ?? change.at);
  await applyRequests(change, theirs, context);
}

function applyTexts(change: PullRequestChange, theirs: PullRequest, fullName: string): void {
  const { pullRequest } = change;
  const texts = {
    title: storable(theirs.title),
    description: storable(theirs.body),
  };
  const fields = [
    ...(texts.title === pullRequest.title ? [] : ['title']),
    ...(texts.description === pullRequest.description ? [] : ['description']),
  ];
  if (fields.length > 0) {
    change.set(texts);
    change.record('pull_request_edited', { fields });
  }
  const others = {
    labels: theirs.labels.map(storable),
    url: theirs.url,
    head_branch: theirs.head.branch,
    head_repository: forkOf(theirs, fullName) ?? pullRequest.head_repository,
  };
  const labelsChanged = others.labels.join('\0') !== pullRequest.labels.join('\0');
  const isSame = (['url', 'head_branch', 'head_repository'] as const).every(
    (name) => others[name] === pullRequest[name],
  );
  if (labelsChanged || !isSame) change.set(others);
}

/** The full name of the fork; null for the same repository, and if the fork is gone. */
export function forkOf({ head }: PullRequest, fullName: string): string | null {
  const name = head.repository?.fullName;
  return name === undefined || name.toLowerCase() === fullName.toLowerCase() ? null : name;
}

async function applyHead(change: PullRequestChange, theirs: PullRequest, facts: HeadFacts): Promise<void> {
  const { base, head } = theirs;
  const { author, forced, mergeBase } = facts;
  const compared = { baseCommit: base.commit, mergeBase };
  const isNew =
    head.commit !== null && (await change.recordHead({ ...compared, commit: head.commit, forced, author }));
  const known = change.pullRequest;
  await change.setBase({ branch: base.branch, ...(isNew ? compared : baseOf(known, theirs, facts)) });
}

/**
 * The base of an already known head. While the base commit isn't in our copy yet, the merge base is unknown: the previous base and
 * merge base of the same branch are kept as a pair, so that the comparison is made again.
 */
export function baseOf(
  known: { base_branch: string; base_commit: string | null; merge_base: string | null },
  { base }: Pick<PullRequest, 'base'>,
  { mergeBase }: Pick<HeadFacts, 'mergeBase'>,
): { baseCommit: string | null; mergeBase: string | null } {
  const isKept = mergeBase === null && known.merge_base !== null && known.base_branch === base.branch;
  return isKept
    ? { baseCommit: known.base_commit, mergeBase: known.merge_base }
    : { baseCommit: base.commit, mergeBase };
}

/** A request to a team there is one to the team here that follows it. Who answered here at this head is not asked again. */
async function applyRequests(
  change: PullRequestChange,
  theirs: PullRequest,
  { accounts, codeHostId, fullName }: { accounts: Accounts; codeHostId: string; fullName: string },
): Promise<void> {
  const { at, db, pullRequest } = change;
  const [owner] = fullName.split('/');
  const paths = theirs.requestedTeams.map(({ slug }) => `${owner}/${slug}`);
  const followers = await selectFollowers(db, codeHostId, paths);
  const wanted = [
    ...theirs.requestedReviewers.map((account) => ({
      ...{ accountId: accounts.get(account.id)!.id, teamId: null, hostTeam: null },
      name: nameOf(account),
    })),
    ...theirs.requestedTeams.map(({ name }, index) => ({
      ...{ accountId: null, teamId: followers.get(paths[index]!.toLowerCase()) ?? null },
      ...{ hostTeam: storable(paths[index]!), name: storable(name) },
    })),
  ];
  const known = await selectHostRequests(db, pullRequest.id);
  type Wanted = (typeof wanted)[number];
  // Requests of earlier versions have the name of the team alone.
  const isSame = (row: (typeof known)[number], one: Wanted) =>
    row.account_id === one.accountId &&
    row.team_id === one.teamId &&
    (one.accountId !== null ||
      (row.host_team === null ? row.name === one.name : row.host_team === one.hostTeam));
  await deleteReviewRequestsById(
    db,
    known.filter((row) => !wanted.some((one) => isSame(row, one))).map(({ id }) => id),
  );
  const fresh = wanted.filter((one) => !known.some((row) => isSame(row, one)));
  const answered = fresh.length > 0 ? await selectAnswered(db, pullRequest) : undefined;
  const added = fresh.filter(
    ({ accountId, teamId }) =>
      !(accountId !== null && answered?.accountIds.has(accountId)) &&
      !(teamId !== null && answered?.teamIds.has(teamId)),
  );
  await insertReviewRequests(db, pullRequest, added, at);
  const members = new Map([...accounts.values()].map(({ id, userId }) => [id, userId]));
  const userIds = added.flatMap(({ accountId }) => (accountId && members.get(accountId)) || []);
  const teamIds = added.flatMap(({ teamId }) => teamId ?? []);
  if (added.length > 0)
    change.record('pull_request_review_requested', {
      ...{ userIds, names: added.map(({ name }) => name) },
      ...(teamIds.length > 0 && { teamIds }),
    });
}

export function nameOf(account: Account | null): string {
  // GitHub shows this name too.
  return account === null ? 'ghost' : storable(account.name ?? account.login);
}
