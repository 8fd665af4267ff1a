/** Replies in a thread in the way that the server's version has. */
import type { HostClient } from '../host-client.ts';
import type { CodeHost } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { commentBody, publishReview } from './publish-review.ts';
import type { readThreads } from './read-threads.ts';
import type { ServerFacts } from './server-facts.ts';
import { createdShape } from './shapes.ts';

type FoundThread = Awaited<ReturnType<typeof readThreads>>['found'][number];

export async function replyInThread(
  client: HostClient,
  path: string,
  { body, found, way }: { found: FoundThread; body: string; way: ServerFacts['reply'] },
): ReturnType<CodeHost['reply']> {
  const { reviewId, rootCommentId, thread } = found;
  const place = { ...thread, body };
  if (way === 'new_review') {
    const { comments, reviewId: id } = await publishReview(client, path, {
      commit: thread.commit ?? '',
      body: '',
      verdict: 'comment',
      comments: [{ ...place, key: '' }],
    });
    const commentId = comments[0]?.commentId ?? null;
    return commentId === null ? { kind: 'review', id: id ?? '' } : { kind: 'thread', id: commentId };
  }
  const { json } = await client(
    way === 'reply'
      ? { method: 'POST', path: `${path}/comments/${rootCommentId}/replies`, body: { body } }
      : { method: 'POST', path: `${path}/reviews/${reviewId}/comments`, body: commentBody(place) },
  );
  return { kind: 'thread', id: String(readReply(createdShape, json, 'the reply').id) };
}
