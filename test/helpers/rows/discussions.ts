/** Discussions as rows, for tests that are not about how these come to be. */
import {
  insertDiscussion,
  type NewDiscussion,
  type WrittenBy,
} from '../../../src/features/discussions/discussion-store.ts';
import { insertComment } from '../../../src/features/pull-requests/index.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import type { Db } from '../../../src/platform/db/index.ts';

const BOT: WrittenBy = { kind: 'bot', userId: null, accountId: null, name: 'a bot' };

/** With an opening comment for each body. */
export async function makeDiscussion(
  db: Db,
  values: Pick<NewDiscussion, 'organizationId' | 'repositoryId' | 'pullRequestId'> & Partial<NewDiscussion>,
  comments: { body: string; author?: WrittenBy; at?: Date }[] = [{ body: 'Is that so?' }],
): Promise<string> {
  const id = uuidv7();
  const at = values.at ?? new Date();
  await insertDiscussion(db, {
    id,
    hostThreadId: null,
    file: 'src/a.ts',
    side: 'new',
    startLine: 1,
    endLine: 1,
    commit: null,
    commentedCode: 'one',
    author: BOT,
    judgedFrom: 1,
    hostResolved: null,
    sending: 'none',
    ...values,
    at,
  });
  for (const [index, comment] of comments.entries()) {
    await insertComment(db, {
      id: uuidv7(),
      organizationId: values.organizationId,
      pullRequestId: values.pullRequestId,
      discussionId: id,
      hostCommentId: null,
      author: comment.author ?? values.author ?? BOT,
      body: comment.body,
      fixedIn: null,
      url: null,
      sending: 'none',
      at: comment.at ?? new Date(at.getTime() + index),
    });
  }
  await db
    .updateTable('pull_requests')
    .set((eb) => ({
      discussion_count: eb('discussion_count', '+', 1),
      open_discussion_count: eb('open_discussion_count', '+', 1),
      comment_count: eb('comment_count', '+', comments.length),
    }))
    .where('id', '=', values.pullRequestId)
    .execute();
  return id;
}
