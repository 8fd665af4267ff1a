/** Reads the review threads of a pull request. Gitea has no such thing in its API: comments on the same line are one. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { HostClient } from '../host-client.ts';
import { MAX_COMMENTS, MAX_REVIEWS, MAX_THREADS } from '../limits.ts';
import { collect, listAll } from '../pages.ts';
import type { Thread } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { authorOf, commentOf } from './read.ts';
import { reviewCommentShape, reviewShape } from './shapes.ts';

export type Review = z.output<typeof reviewShape>;
type ReviewComment = z.output<typeof reviewCommentShape>;

/** A thread, and what is needed to reply to it. */
export interface FoundThread {
  thread: Thread;
  rootCommentId: number;
  reviewId: number;
}

const AT_ONCE = 4;

export function listReviews(client: HostClient, path: string): AsyncIterable<Review> {
  const request = { path: `${path}/reviews` };
  return listAll({
    client,
    request,
    shape: reviewShape,
    what: 'the reviews',
    sizeParameter: 'limit',
    size: 50,
  });
}

export async function readThreads(
  client: HostClient,
  path: string,
): Promise<{ found: FoundThread[]; truncated: boolean }> {
  const reviews = await collect(listReviews(client, path), MAX_REVIEWS);
  const commented = reviews.items.filter(
    ({ comments_count, state }) => state !== 'PENDING' && comments_count !== 0,
  );
  const comments: { review: Review; comment: ReviewComment }[] = [];
  while (commented.length > 0 && comments.length < MAX_COMMENTS) {
    const some = commented.splice(0, AT_ONCE);
    const read = await Promise.all(some.map((review) => commentsOf(client, path, review)));
    comments.push(...read.flat());
  }
  comments.sort((a, b) => a.comment.id - b.comment.id);
  const found = joinThreads(comments);
  return {
    found: found.slice(0, MAX_THREADS),
    truncated: reviews.truncated || commented.length > 0 || found.length > MAX_THREADS,
  };
}

async function commentsOf(client: HostClient, path: string, review: Review) {
  const { json } = await client({ path: `${path}/reviews/${review.id}/comments` });
  const found = readReply(z.array(reviewCommentShape), json ?? [], 'the comments of a review');
  return found.map((comment) => ({ review, comment }));
}

/** Comments on the same line of the same text, whichever review they belong to. */
function joinThreads(comments: { review: Review; comment: ReviewComment }[]): FoundThread[] {
  const byId = new Map<string, FoundThread>();
  for (const { comment, review } of comments) {
    const isOld = !comment.position && (comment.original_position ?? 0) > 0;
    const line = (isOld ? comment.original_position : comment.position) ?? 0;
    const side = isOld ? 'old' : 'new';
    const id = idOf([comment.path, side, line, comment.commit_id ?? '']);
    const known = byId.get(id);
    if (known) {
      known.thread.comments.push(commentOf(comment, 'thread'));
      continue;
    }
    const thread: Thread = {
      id,
      file: comment.path,
      side,
      startLine: line,
      endLine: line,
      // The comment's own commit is the one that last changed the line.
      commit: review.commit_id || null,
      resolved: Boolean(comment.resolver),
      resolvedBy: authorOf(comment.resolver),
      resolvedAt: null,
      comments: [commentOf(comment, 'thread')],
    };
    byId.set(id, { thread, rootCommentId: comment.id, reviewId: review.id });
  }
  return [...byId.values()];
}

function idOf(parts: (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
}
