/** Adds a discussion to a locked pull request: one that is opened here, or a thread of its code host. */
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { insertComment, type NewComment, type PullRequestChange } from '../pull-requests/index.ts';
import { insertDiscussion, type NewDiscussion, type WrittenBy } from './discussion-store.ts';
import { upsertPositions } from './judgement-store.ts';

type Place = Pick<NewDiscussion, 'file' | 'side' | 'startLine' | 'endLine' | 'commit' | 'commentedCode'>;
/** Position among the new findings of one review, from 1. */
type FindingNumber = { number: number; of: number };

export interface DiscussionToAdd extends Place {
  author: WrittenBy;
  body: string;
  finding?: FindingNumber;
  /** The review that it is part of, whose event names it. */
  verdictId?: string;
}

interface AddedDiscussion {
  id: string;
  /** Its first comment. */
  commentId: string;
}

/** With its first comment, which is sent to the code host if there is one. */
export function addDiscussion(
  change: PullRequestChange,
  { author, body, verdictId, ...discussion }: DiscussionToAdd,
): Promise<AddedDiscussion> {
  const { at } = change;
  const isOnHost = change.pullRequest.origin === 'host';
  const sending = isOnHost ? 'waiting' : 'none';
  return insert(change, {
    ...discussion,
    ...{ author, at, hostThreadId: null, hostResolved: isOnHost ? false : null },
    comments: [{ author, body, at, hostCommentId: null, url: null, sending, verdictId }],
  });
}

export interface HostThread extends Place {
  hostThreadId: string;
  hostResolved: boolean;
  author: WrittenBy;
  at: Date;
  /** Only comments that are not known here yet. */
  comments: Omit<CommentToAdd, 'sending' | 'verdictId'>[];
}

/** A thread that was opened on the code host. Returns the discussion's ID. */
export async function addHostThread(change: PullRequestChange, thread: HostThread): Promise<string> {
  const { id } = await insert(change, {
    ...thread,
    comments: thread.comments.map((comment) => ({ ...comment, sending: 'none' })),
  });
  return id;
}

type CommentToAdd = Pick<
  NewComment,
  'author' | 'body' | 'at' | 'hostCommentId' | 'url' | 'sending' | 'verdictId'
>;

async function insert(
  change: PullRequestChange,
  discussion: Place &
    Pick<NewDiscussion, 'author' | 'at' | 'hostThreadId' | 'hostResolved'> & {
      comments: CommentToAdd[];
      finding?: FindingNumber;
    },
): Promise<AddedDiscussion> {
  const { comments, finding, ...values } = discussion;
  const { db, pullRequest } = change;
  const common = { organizationId: pullRequest.organization_id, pullRequestId: pullRequest.id };
  const id = uuidv7();
  await insertDiscussion(db, {
    ...common,
    ...values,
    id,
    repositoryId: pullRequest.repository_id,
    judgedFrom: pullRequest.head_count,
    // Its comments are what is sent.
    sending: 'none',
  });
  const commentIds = comments.map(() => uuidv7());
  for (const [index, comment] of comments.entries())
    await insertComment(db, {
      ...common,
      ...comment,
      id: commentIds[index]!,
      discussionId: id,
      fixedIn: null,
    });
  const { commit, endLine, file, side, startLine } = values;
  if (values.hostThreadId === null && commit === pullRequest.head_commit && side === 'new' && commit !== null)
    await upsertPositions(db, pullRequest.organization_id, commit, [
      { discussionId: id, outcome: 'exact', file, startLine, endLine },
    ]);
  // Where it is at the newest head is found out in the background.
  else change.set({ judged_head: null, judge_queued_head: null });
  change.set({
    discussion_count: pullRequest.discussion_count + 1,
    open_discussion_count: pullRequest.open_discussion_count + 1,
    comment_count: pullRequest.comment_count + comments.length,
  });
  if (comments[0]?.verdictId === undefined)
    change.record('discussion_opened', {
      ...{ discussionId: id, commentId: commentIds[0], file },
      ...(finding && { finding }),
    });
  return { id, commentId: commentIds[0]! };
}
