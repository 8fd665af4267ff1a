/** The commit that makes a person an author of a pull request that someone else opened. */
import type { Context } from '../../../context.ts';
import type { CommitAddresses, OwnCommit } from '../../../platform/core/ports/code-differences.ts';
import type { FoundPullRequest } from '../store/pull-request-store.ts';
import { selectCommitNames } from '../store/review-store.ts';
import { rangeOf } from './open-range.ts';

/**
 * The newest commit of the pull request that the caller wrote or committed, also by accepting a suggestion or rebasing; null if there is
 * none. Fails while the commits can't be read; of a repository that was never cloned, nothing is known.
 */
export async function findOwnCommit(
  context: Context,
  pullRequest: FoundPullRequest,
): Promise<OwnCommit | null> {
  const { actor, db } = context;
  const { accounts, emails, isCloned } = await selectCommitNames(db, actor, pullRequest.id);
  if (!isCloned) return null;
  const range = await rangeOf(context, pullRequest);
  return range.compare('findCommitBy', { addresses: addressesOf(emails, accounts) });
}

/** The addresses that they have or had here, and those that code hosts give to commits of people who keep theirs private. Pure. */
export function addressesOf(
  emails: string[],
  accounts: { hostAccountId: string; login: string; hostUrl: string }[],
): CommitAddresses {
  const exact = emails.map((email) => email.toLowerCase());
  const affixes: [string, string][] = [];
  for (const { hostAccountId, hostUrl, login } of accounts) {
    const { hostname } = new URL(hostUrl);
    const name = login.toLowerCase();
    exact.push(`${name}@users.noreply.${hostname}`, `${name}@noreply.${hostname}`);
    // GitHub joins the ID and the login with a plus, GitLab with a hyphen.
    for (const sign of ['+', '-']) affixes.push([`${hostAccountId}${sign}`, `@users.noreply.${hostname}`]);
  }
  return { exact, affixes };
}
