/** Publishes one review on Gitea, with what the diff doesn't show in its body: the server would accept any line. */
import { z } from 'zod';
import { type DiffLines, isShown, readDiff } from '../diff-lines.ts';
import type { HostClient } from '../host-client.ts';
import { isHostError } from '../host-error.ts';
import type { NewThread, PublishedReview, ReviewBatch } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { bodyWithComments } from '../review-text.ts';
import { createdShape, reviewCommentShape } from './shapes.ts';

const EVENTS = { approve: 'APPROVED', request_changes: 'REQUEST_CHANGES', comment: 'COMMENT' } as const;

export async function publishReview(
  client: HostClient,
  path: string,
  batch: ReviewBatch,
): Promise<PublishedReview> {
  const files = batch.comments.length === 0 ? null : await readPullRequestDiff(client, path);
  const isPlaced = (comment: NewThread) =>
    comment.endLine > 0 && (files === null || isShown(files.get(comment.file), comment));
  const placed = batch.comments.filter(isPlaced);
  const unplaced = batch.comments.filter((comment) => !isPlaced(comment));
  const { json } = await client({
    method: 'POST',
    path: `${path}/reviews`,
    body: {
      commit_id: batch.commit,
      body: bodyWithComments(batch.body, unplaced),
      event: EVENTS[batch.verdict],
      comments: placed.map(commentBody),
    },
  });
  const { id } = readReply(createdShape, json, 'the review');
  const made = placed.length === 0 ? [] : await commentsOf(client, path, id);
  const comments = batch.comments.map((comment) => {
    if (!isPlaced(comment)) return { key: comment.key, placed: 'body' as const, commentId: null };
    const index = made.findIndex(({ body, path: file }) => file === comment.file && body === comment.body);
    const [found] = index === -1 ? [] : made.splice(index, 1);
    return { key: comment.key, placed: 'lines' as const, commentId: found ? String(found.id) : null };
  });
  return { reviewId: String(id), comments };
}

/** A comment has one line: the last. */
export function commentBody({ body, endLine, file, side }: Omit<NewThread, 'key' | 'startLine'>) {
  return { path: file, body, ...(side === 'old' ? { old_position: endLine } : { new_position: endLine }) };
}

async function commentsOf(client: HostClient, path: string, reviewId: number) {
  const { json } = await client({ path: `${path}/reviews/${reviewId}/comments` });
  return readReply(z.array(reviewCommentShape), json ?? [], 'the comments of the review');
}

/** Null if it is too large to be read: then every line is tried. */
async function readPullRequestDiff(client: HostClient, path: string): Promise<Map<string, DiffLines> | null> {
  try {
    const { text } = await client({ path: `${path}.diff`, isText: true });
    return readDiff(text);
  } catch (error) {
    if (isHostError(error, 'unexpected_reply')) return null;
    throw error;
  }
}
