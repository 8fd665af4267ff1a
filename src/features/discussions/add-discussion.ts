/** Adds a discussion with its first comment to a locked pull request; on a code host the comment is sent there. */
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import type { PullRequestChange } from '../pull-requests/index.ts';
import { insertComment, insertDiscussion, type NewDiscussion, type WrittenBy } from './discussion-store.ts';
import { upsertPositions } from './judgement-store.ts';

export interface DiscussionToAdd
  extends Pick<NewDiscussion, 'file' | 'side' | 'startLine' | 'endLine' | 'commentedCode'> {
  commit: string;
  author: WrittenBy;
  body: string;
  /** Position among the new findings of one review, from 1. */
  finding?: { number: number; of: number };
}

/** Returns its ID. */
export async function addDiscussion(
  change: PullRequestChange,
  { author, body, finding, ...place }: DiscussionToAdd,
): Promise<string> {
  const { at, db, pullRequest } = change;
  const isOnHost = pullRequest.origin === 'host';
  const common = { organizationId: pullRequest.organization_id, pullRequestId: pullRequest.id, author, at };
  const id = uuidv7();
  await insertDiscussion(db, {
    ...common,
    ...place,
    id,
    repositoryId: pullRequest.repository_id,
    hostThreadId: null,
    judgedFrom: pullRequest.head_count,
    hostResolved: isOnHost ? false : null,
    // The comment itself is what is sent.
    sending: 'none',
  });
  const commentId = uuidv7();
  await insertComment(db, {
    ...common,
    id: commentId,
    discussionId: id,
    hostCommentId: null,
    body,
    fixedIn: null,
    url: null,
    sending: isOnHost ? 'waiting' : 'none',
  });
  if (place.commit === pullRequest.head_commit && place.side === 'new') {
    const { endLine, file, startLine } = place;
    await upsertPositions(db, pullRequest.organization_id, place.commit, [
      { discussionId: id, outcome: 'exact', file, startLine, endLine },
    ]);
  } else {
    // Where it is at the newest head is found out in the background.
    change.set({ judged_head: null, judge_queued_head: null });
  }
  change.set({
    discussion_count: pullRequest.discussion_count + 1,
    open_discussion_count: pullRequest.open_discussion_count + 1,
    comment_count: pullRequest.comment_count + 1,
  });
  change.record('discussion_opened', {
    ...{ discussionId: id, commentId, file: place.file },
    ...(finding && { finding }),
  });
  return id;
}
