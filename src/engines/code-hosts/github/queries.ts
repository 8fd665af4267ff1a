/** The GraphQL documents sent to GitHub, and the shapes of their replies. Tests hold them to GitHub's published schema. */
import { z } from 'zod';
import { MAX_REACTIONS } from '../limits.ts';
import { timeShape } from './shapes.ts';

const ACCOUNT = `fragment AccountFields on Actor {
  __typename
  login
  ... on User { databaseId name }
  ... on Bot { databaseId }
  ... on Mannequin { databaseId }
}`;

const COMMENT = `fragment CommentFields on PullRequestReviewComment {
  fullDatabaseId
  state
  body
  createdAt
  updatedAt
  url
  originalCommit { oid }
  author { ...AccountFields }
  reactions(content: THUMBS_DOWN, first: ${MAX_REACTIONS}) { nodes { user { databaseId login name } } }
}
${ACCOUNT}`;

export const THREADS_QUERY = `query Threads($owner: String!, $name: String!, $number: Int!, $cursor: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 50, after: $cursor) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id
          path
          subjectType
          diffSide
          startDiffSide
          line
          originalLine
          originalStartLine
          isResolved
          resolvedBy { ...AccountFields }
          comments(first: 50) {
            pageInfo { hasNextPage endCursor }
            nodes { ...CommentFields }
          }
        }
      }
    }
  }
}
${COMMENT}`;

export const MORE_COMMENTS_QUERY = `query MoreComments($thread: ID!, $cursor: String) {
  node(id: $thread) {
    ... on PullRequestReviewThread {
      comments(first: 100, after: $cursor) {
        pageInfo { hasNextPage endCursor }
        nodes { ...CommentFields }
      }
    }
  }
}
${COMMENT}`;

export const REPLY_MUTATION = `mutation Reply($thread: ID!, $body: String!) {
  addPullRequestReviewThreadReply(input: { pullRequestReviewThreadId: $thread, body: $body }) {
    comment { fullDatabaseId }
  }
}`;

export const RESOLVE_MUTATION = `mutation Resolve($thread: ID!) {
  resolveReviewThread(input: { threadId: $thread }) { thread { isResolved } }
}`;

export const UNRESOLVE_MUTATION = `mutation Unresolve($thread: ID!) {
  unresolveReviewThread(input: { threadId: $thread }) { thread { isResolved } }
}`;

export const ADD_THREAD_MUTATION = `mutation AddThread($input: AddPullRequestReviewThreadInput!) {
  addPullRequestReviewThread(input: $input) {
    thread { comments(first: 1) { nodes { fullDatabaseId } } }
  }
}`;

const pageInfoShape = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });
/** A 64-bit number, as text. */
const databaseIdShape = z.union([z.string().regex(/^\d+$/), z.number().int().transform(String)]);

export const actorShape = z.object({
  __typename: z.string(),
  login: z.string(),
  databaseId: z.number().int().nullish(),
  name: z.string().nullish(),
});

const reactionShape = z.object({
  user: z
    .object({ databaseId: z.number().int().nullable(), login: z.string(), name: z.string().nullable() })
    .nullable(),
});

export const threadCommentShape = z.object({
  fullDatabaseId: databaseIdShape,
  state: z.string(),
  body: z.string(),
  createdAt: timeShape,
  updatedAt: timeShape,
  url: z.string(),
  originalCommit: z.object({ oid: z.string() }).nullable(),
  author: actorShape.nullable(),
  reactions: z.object({ nodes: z.array(reactionShape.nullable()).nullable() }),
});

const commentsShape = z.object({ pageInfo: pageInfoShape, nodes: z.array(threadCommentShape.nullable()) });
const sideShape = z.enum(['LEFT', 'RIGHT']);

export const threadShape = z.object({
  id: z.string(),
  path: z.string(),
  subjectType: z.enum(['LINE', 'FILE']),
  diffSide: sideShape,
  startDiffSide: sideShape.nullable(),
  line: z.number().int().nullable(),
  originalLine: z.number().int().nullable(),
  originalStartLine: z.number().int().nullable(),
  isResolved: z.boolean(),
  resolvedBy: actorShape.nullable(),
  comments: commentsShape,
});

export const threadsShape = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({ pageInfo: pageInfoShape, nodes: z.array(threadShape.nullable()) }),
    }),
  }),
});

export const moreCommentsShape = z.object({ node: z.object({ comments: commentsShape }).nullable() });

export const replyShape = z.object({
  addPullRequestReviewThreadReply: z.object({ comment: z.object({ fullDatabaseId: databaseIdShape }) }),
});

export const addThreadShape = z.object({
  addPullRequestReviewThread: z.object({
    thread: z
      .object({
        comments: z.object({ nodes: z.array(z.object({ fullDatabaseId: databaseIdShape })) }),
      })
      .nullable(),
  }),
});

export const resolveShape = z.union([
  z.object({ resolveReviewThread: z.object({ thread: z.object({ isResolved: z.boolean() }) }) }),
  z.object({ unresolveReviewThread: z.object({ thread: z.object({ isResolved: z.boolean() }) }) }),
]);
