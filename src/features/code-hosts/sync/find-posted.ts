/** Finds what we posted among what a code host has, by the hidden markers. Pure. */
import type {
  Comment,
  CommentRef,
  Discussion,
  PullRequestDetails,
  Thread,
} from '../../../engines/code-hosts/index.ts';
import { isReviewText, markersIn, readPosted } from './posted-text.ts';
import type { StoredState } from './stored-state-store.ts';

/** Read from the host at one time. */
export interface HostState {
  pullRequest: PullRequestDetails;
  discussion: Discussion;
}

export interface PostedComment {
  comment: Comment;
  /** Null in the general conversation. */
  thread: Thread | null;
  /** The person's words, as they are on the host now. */
  body: string;
}

export interface Posted {
  /** Our comments by our ID. */
  comments: Map<string, PostedComment>;
  /** Our IDs by the key of the host's comment: what we posted is never taken for a comment of somebody there. */
  byKey: Map<string, string>;
  /** Our verdicts by our ID: the ID of the review, and null where the host has it as a comment. */
  verdicts: Map<string, string | null>;
  /** Comments of ours whose text is part of a review or of a general comment, because the host could not show them on lines or a file. */
  inReviews: Set<string>;
  /** Who we are on the host, by what we posted: the host's account IDs. */
  ownAccounts: Set<string>;
}

/** Identifies a comment of a pull request: hosts count comments of threads and of the conversation separately. */
export function keyOf({ id, kind }: CommentRef): string {
  return `${kind}:${id}`;
}

/**
 * A marker counts if the ID is ours, of this pull request, and not known to belong to another comment: people can copy a text together
 * with its marker.
 */
export function findPosted(
  ours: Pick<StoredState, 'comments' | 'id' | 'verdicts'>,
  { discussion, pullRequest }: HostState,
): Posted {
  const comments = new Map(ours.comments.map((row) => [row.id, row]));
  const verdicts = new Map(ours.verdicts.map((row) => [row.id, row]));
  const posted: Posted = {
    comments: new Map(),
    byKey: new Map(),
    verdicts: new Map(),
    inReviews: new Set(),
    ownAccounts: new Set(),
  };
  const noticeVerdict = (id: string, comment: Comment) => {
    if (posted.verdicts.has(id)) return;
    posted.verdicts.set(id, null);
    if (comment.author) posted.ownAccounts.add(comment.author.id);
    posted.byKey.set(keyOf(comment), id);
  };
  const notice = (comment: Comment, thread: Thread | null) => {
    const read = readPosted(comment.body);
    if (!read) return;
    if (read.id === ours.id && thread === null) posted.byKey.set(keyOf(comment), read.id);
    if (thread === null && isReviewText(comment.body)) {
      posted.byKey.set(keyOf(comment), read.id);
      for (const id of markersIn(comment.body)) {
        if (comments.has(id)) posted.inReviews.add(id);
        if (verdicts.has(id)) noticeVerdict(id, comment);
      }
      return;
    }
    const row = comments.get(read.id);
    if (row && (row.host_comment_id ?? keyOf(comment)) === keyOf(comment) && !posted.comments.has(read.id)) {
      posted.comments.set(read.id, { comment, thread, body: read.body });
      posted.byKey.set(keyOf(comment), read.id);
    }
    if (verdicts.has(read.id) && thread === null) noticeVerdict(read.id, comment);
  };
  for (const thread of discussion.threads) for (const comment of thread.comments) notice(comment, thread);
  for (const comment of discussion.conversation) notice(comment, null);
  for (const review of pullRequest.verdicts)
    for (const id of markersIn(review.body)) {
      const row = verdicts.get(id);
      if (row && (row.host_review_id ?? review.id) === review.id && !posted.verdicts.has(id))
        posted.verdicts.set(id, review.id);
      if (comments.has(id) && !posted.comments.has(id)) posted.inReviews.add(id);
    }
  return posted;
}
