/**
 * Publishes one review on GitHub. Usually that is one request; GitHub refuses all of it if a single line is not part of
 * the diff, and does not say which. Then the comments are added one by one to a pending review, which is submitted last.
 */
import type { z } from 'zod';
import type { HostClient } from '../host-client.ts';
import { isHostError } from '../host-error.ts';
import { listAll } from '../pages.ts';
import type { NewThread, PublishedReview, ReviewBatch } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { bodyWithComments } from '../review-text.ts';
import { sendGraphql } from './graphql.ts';
import { ADD_THREAD_MUTATION, addThreadShape } from './queries.ts';
import { reviewCommentShape, reviewShape } from './shapes.ts';

const EVENTS = { approve: 'APPROVE', request_changes: 'REQUEST_CHANGES', comment: 'COMMENT' } as const;

export interface PullRequestPlace {
  client: HostClient;
  /** The pull request in the REST API. */
  path: string;
  graphqlPath: string;
  now: () => Date;
}

type Placed = PublishedReview['comments'][number];

export async function publishReview(place: PullRequestPlace, batch: ReviewBatch): Promise<PublishedReview> {
  const onlyLines = batch.comments.every(({ endLine }) => endLine > 0);
  if (onlyLines) {
    try {
      return await publishAtOnce(place, batch);
    } catch (error) {
      if (batch.comments.length === 0 || !isHostError(error, 'invalid')) throw error;
    }
  }
  return await publishOneByOne(place, batch);
}

async function publishAtOnce(place: PullRequestPlace, batch: ReviewBatch): Promise<PublishedReview> {
  const { client, path } = place;
  const { json } = await client({
    method: 'POST',
    path: `${path}/reviews`,
    body: {
      commit_id: batch.commit,
      body: batch.body,
      event: EVENTS[batch.verdict],
      comments: batch.comments.map((comment) => ({
        path: comment.file,
        body: comment.body,
        ...linesOf(comment, 'rest'),
      })),
    },
  });
  const { id } = readReply(reviewShape, json, 'the review');
  const request = { path: `${path}/reviews/${id}/comments` };
  const unclaimed: z.output<typeof reviewCommentShape>[] = [];
  if (batch.comments.length > 0)
    for await (const comment of listAll({
      client,
      request,
      shape: reviewCommentShape,
      what: 'the comments of the review',
    }))
      unclaimed.push(comment);
  const comments = batch.comments.map(({ body, file, key }): Placed => {
    const index = unclaimed.findIndex((made) => made.path === file && made.body === body);
    const [made] = index === -1 ? [] : unclaimed.splice(index, 1);
    return { key, placed: 'lines', commentId: made ? String(made.id) : null };
  });
  return { reviewId: String(id), comments };
}

async function publishOneByOne(place: PullRequestPlace, batch: ReviewBatch): Promise<PublishedReview> {
  const { client, path } = place;
  const { id, node_id } = await startPendingReview(place, batch.commit);
  try {
    const comments: Placed[] = [];
    for (const comment of batch.comments) comments.push(await addComment(place, node_id, comment));
    const unplaced = batch.comments.filter((_, index) => comments[index]!.placed === 'body');
    await client({
      method: 'POST',
      path: `${path}/reviews/${id}/events`,
      body: { event: EVENTS[batch.verdict], body: bodyWithComments(batch.body, unplaced) },
    });
    return { reviewId: String(id), comments };
  } catch (error) {
    await client({ method: 'DELETE', path: `${path}/reviews/${id}` }).catch(() => undefined);
    throw error;
  }
}

/** There can be only one; one that an earlier attempt left behind is removed. */
async function startPendingReview(place: PullRequestPlace, commit: string) {
  const { client, path } = place;
  const create = async () => {
    const { json } = await client({ method: 'POST', path: `${path}/reviews`, body: { commit_id: commit } });
    return readReply(reviewShape, json, 'the review');
  };
  try {
    return await create();
  } catch (error) {
    if (!isHostError(error, 'invalid')) throw error;
    const request = { path: `${path}/reviews` };
    for await (const { id, state } of listAll({ client, request, shape: reviewShape, what: 'the reviews' }))
      if (state === 'PENDING') {
        await client({ method: 'DELETE', path: `${path}/reviews/${id}` });
        return await create();
      }
    throw error;
  }
}

async function addComment(place: PullRequestPlace, reviewId: string, comment: NewThread): Promise<Placed> {
  const { body, file, key } = comment;
  const common = { pullRequestReviewId: reviewId, path: file, body };
  const attempts = [
    ...(comment.endLine > 0
      ? [
          {
            placed: 'lines' as const,
            input: { ...common, subjectType: 'LINE', ...linesOf(comment, 'graphql') },
          },
        ]
      : []),
    { placed: 'file' as const, input: { ...common, subjectType: 'FILE' } },
  ];
  for (const { input, placed } of attempts) {
    const commentId = await addThread(place, input);
    if (commentId !== null) return { key, placed, commentId };
  }
  return { key, placed: 'body', commentId: null };
}

/** Null if GitHub refuses the place. */
async function addThread(place: PullRequestPlace, input: Record<string, unknown>): Promise<string | null> {
  try {
    const { addPullRequestReviewThread } = await sendGraphql(place.client, {
      path: place.graphqlPath,
      document: ADD_THREAD_MUTATION,
      variables: { input },
      shape: addThreadShape,
      what: 'the new thread',
      now: place.now,
    });
    return addPullRequestReviewThread.thread?.comments.nodes[0]?.fullDatabaseId ?? null;
  } catch (error) {
    if (isHostError(error, 'invalid', 'not_found')) return null;
    throw error;
  }
}

function linesOf({ endLine, side, startLine }: NewThread, api: 'rest' | 'graphql'): Record<string, unknown> {
  const hostSide = side === 'old' ? 'LEFT' : 'RIGHT';
  const one = { line: endLine, side: hostSide };
  if (startLine === endLine) return one;
  return api === 'rest'
    ? { ...one, start_line: startLine, start_side: hostSide }
    : { ...one, startLine, startSide: hostSide };
}
