/** Brings a pull request in step with what its code host says about it as a whole: texts, state, branches, heads, who is asked. */
import type { Account, PullRequest } from '../../engines/code-hosts/index.ts';
import { type PullRequestChange, updateHead } from '../pull-requests/index.ts';
import type { KnownAccount } from './host-account-store.ts';
import { deleteRequests, insertHostRequests, selectHostRequests } from './our-state-store.ts';
import { storable } from './posted-text.ts';

export type Accounts = Map<string, KnownAccount>;

/** What our copy of the repository says about the newest head; null: not known yet. */
export interface HeadFacts {
  mergeBase: string | null;
  forced: boolean | null;
}

export async function applyPullRequest(
  change: PullRequestChange,
  theirs: PullRequest,
  context: { accounts: Accounts; facts: HeadFacts; fullName: string },
): Promise<void> {
  applyTexts(change, theirs, context.fullName);
  await applyHead(change, theirs, context.facts);
  const { closedAt, mergedAt, state } = theirs;
  change.setState(state, {}, mergedAt ?? closedAt ?? change.at);
  await applyRequests(change, theirs, context.accounts);
}

function applyTexts(change: PullRequestChange, theirs: PullRequest, fullName: string): void {
  const { pullRequest } = change;
  const texts = {
    title: storable(theirs.title),
    description: storable(theirs.body),
    base: theirs.base.branch,
  };
  const fields = [
    ...(texts.title === pullRequest.title ? [] : ['title']),
    ...(texts.description === pullRequest.description ? [] : ['description']),
    ...(texts.base === pullRequest.base_branch ? [] : ['base']),
  ];
  if (fields.length > 0) {
    change.set({ title: texts.title, description: texts.description, base_branch: texts.base });
    const bases = fields.includes('base') ? { from: pullRequest.base_branch, to: texts.base } : {};
    change.record('pull_request_edited', { fields, ...bases });
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
  const { commit } = theirs.head;
  if (commit === null) return;
  const baseCommit = theirs.base.commit;
  if (await change.recordHead({ commit, baseCommit, mergeBase: facts.mergeBase, forced: facts.forced }))
    return;
  const { pullRequest } = change;
  const mergeBase = facts.mergeBase ?? pullRequest.merge_base;
  if (baseCommit !== pullRequest.base_commit || mergeBase !== pullRequest.merge_base) {
    const values = { base_commit: baseCommit, merge_base: mergeBase };
    change.set(values);
    await updateHead(change.db, pullRequest.id, pullRequest.head_count, {
      ...values,
      ...(facts.forced !== null && { forced: facts.forced }),
    });
  }
}

async function applyRequests(
  change: PullRequestChange,
  theirs: PullRequest,
  accounts: Accounts,
): Promise<void> {
  const { at, db, pullRequest } = change;
  const wanted = [
    ...theirs.requestedReviewers.map((account) => ({
      accountId: accounts.get(account.id)!.id,
      name: nameOf(account),
    })),
    ...theirs.requestedTeams.map((team) => ({ accountId: null, name: storable(team) })),
  ];
  const keyOf = (accountId: string | null, name: string) => accountId ?? `team ${name}`;
  const known = await selectHostRequests(db, pullRequest.id);
  const knownKeys = new Set(known.map((row) => keyOf(row.account_id, row.name)));
  const wantedKeys = new Set(wanted.map((one) => keyOf(one.accountId, one.name)));
  await deleteRequests(
    db,
    known.filter((row) => !wantedKeys.has(keyOf(row.account_id, row.name))).map(({ id }) => id),
  );
  const added = wanted.filter((one) => !knownKeys.has(keyOf(one.accountId, one.name)));
  await insertHostRequests(db, pullRequest, added, at);
  const members = new Map([...accounts.values()].map(({ id, userId }) => [id, userId]));
  const userIds = added.flatMap(({ accountId }) => (accountId && members.get(accountId)) || []);
  if (added.length > 0)
    change.record('pull_request_review_requested', { userIds, names: added.map(({ name }) => name) });
}

export function nameOf(account: Account | null): string {
  // GitHub shows this name too.
  return account === null ? 'ghost' : storable(account.name ?? account.login);
}
