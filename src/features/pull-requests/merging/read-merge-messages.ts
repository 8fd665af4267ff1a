/** Reads the default messages of a merge, with the co-authors of a squash: who wrote the commits, but for its author and who merges. */
import type { CommitAuthor } from '../../../platform/core/ports/code-differences.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { Db } from '../../../platform/db/index.ts';
import { addressesOf } from '../files/own-commit.ts';
import { mergeMessages } from '../reading/merge-messages.ts';
import type { PullRequestRow } from '../store/pull-request-store.ts';
import { selectCommitNames } from '../store/review-store.ts';

const MAX_CO_AUTHORS = 50;

export interface MessageServices {
  db: Db;
  code: Pick<CodeReader, 'compare'>;
  baseUrl: string;
}

export async function readMergeMessages(
  { baseUrl, code, db }: MessageServices,
  pullRequest: PullRequestRow,
  { base, head, userId }: { base: string; head: string; userId: string },
  call: Call,
): Promise<ReturnType<typeof mergeMessages>> {
  const { author_kind: kind, author_user_id: authorId, id } = pullRequest;
  const params = { from: base, to: head, limit: MAX_CO_AUTHORS };
  const authors = await code.compare('listAuthors', pullRequest.repository_id, params, call);
  const named = new Set([userId, ...(kind === 'person' && authorId !== null ? [authorId] : [])]);
  let coAuthors: CommitAuthor[] = authors;
  for (const person of named) {
    const of = { organizationId: pullRequest.organization_id, userId: person };
    const { accounts, emails } = await selectCommitNames(db, of, id);
    const { affixes, exact } = addressesOf(emails, accounts);
    coAuthors = coAuthors.filter(({ email }) => {
      const folded = email.toLowerCase();
      return (
        !exact.includes(folded) &&
        !affixes.some(([start, end]) => folded.startsWith(start) && folded.endsWith(end))
      );
    });
  }
  const { description, head_branch: headBranch, number, title } = pullRequest;
  const address = `${baseUrl}/pull-requests/${id}`;
  return mergeMessages({ number, title, description, headBranch, address, coAuthors });
}
