/** Discussions of leaked secrets in a person's own pull request: someone else has to resolve or dismiss them. */
import type { Db } from '../../platform/db/index.ts';
import { selectAuthorId } from '../pull-requests/index.ts';
import { selectAboutSecrets } from './discussion-store.ts';

export async function findOwnSecrets(
  db: Db,
  {
    discussionIds,
    pullRequestId,
    userId,
  }: { discussionIds: string[]; pullRequestId: string; userId: string },
): Promise<Set<string>> {
  const isAuthor = (await selectAuthorId(db, pullRequestId)) === userId;
  return isAuthor ? selectAboutSecrets(db, discussionIds) : new Set();
}
