/** The members who wrote, co-wrote or committed the commits of a pull request: whoever asks for a review should ask somebody else. */
import type { CommitAuthor } from '../../../platform/core/ports/code-differences.ts';
import type { Db } from '../../../platform/db/index.ts';
import { selectCommitMembers } from '../store/review-store.ts';
import type { OpenRange } from './open-range.ts';
import { addressesOf } from './own-commit.ts';

export const AUTHORS_READ = { limit: 200, committers: true };

export async function commitAuthorIds({ compare, pullRequest }: OpenRange, db: Db): Promise<string[]> {
  return membersAmong(db, pullRequest.organization_id, await compare('listAuthors', AUTHORS_READ));
}

export async function membersAmong(
  db: Db,
  organizationId: string,
  authors: readonly CommitAuthor[],
): Promise<string[]> {
  const emails = authors.map(({ email }) => email.toLowerCase());
  const { accounts, userIds } = await selectCommitMembers(db, organizationId, emails);
  const linked = accounts.flatMap((account) => {
    const { affixes, exact } = addressesOf([], [account]);
    const isTheirs = emails.some(
      (email) =>
        exact.includes(email) ||
        affixes.some(([start, end]) => email.startsWith(start) && email.endsWith(end)),
    );
    return isTheirs ? [account.userId] : [];
  });
  return [...new Set([...userIds, ...linked])];
}
