/** The members who wrote or co-wrote the commits of a pull request: whoever asks for a review should ask somebody else. */
import type { Db } from '../../../platform/db/index.ts';
import { selectCommitMembers } from '../store/review-store.ts';
import type { OpenRange } from './open-range.ts';
import { addressesOf } from './own-commit.ts';

const MAX_AUTHORS = 200;

export async function commitAuthorIds({ compare, pullRequest }: OpenRange, db: Db): Promise<string[]> {
  const authors = await compare('listAuthors', { limit: MAX_AUTHORS });
  const emails = authors.map(({ email }) => email.toLowerCase());
  const { accounts, userIds } = await selectCommitMembers(db, pullRequest.organization_id, emails);
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
