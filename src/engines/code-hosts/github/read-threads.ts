/** Reads the review threads of a pull request, which only GitHub's GraphQL API knows. */
import type { z } from 'zod';
import type { HostClient } from '../host-client.ts';
import { MAX_COMMENTS, MAX_THREADS } from '../limits.ts';
import type { Account, Comment, Thread } from '../port.ts';
import { sendGraphql } from './graphql.ts';
import {
  type actorShape,
  MORE_COMMENTS_QUERY,
  moreCommentsShape,
  THREADS_QUERY,
  type threadCommentShape,
  type threadShape,
  threadsShape,
} from './queries.ts';

type FoundThread = z.output<typeof threadShape>;
type FoundComment = z.output<typeof threadCommentShape>;

export interface ThreadSource {
  client: HostClient;
  path: string;
  now: () => Date;
}

/** Comments that were not submitted yet are left out, and threads without others. */
export async function readThreads(
  source: ThreadSource,
  variables: { owner: string; name: string; number: number },
): Promise<{ threads: Thread[]; truncated: boolean }> {
  const threads: Thread[] = [];
  let comments = 0;
  for (let cursor: string | null = null; ; ) {
    const page: z.output<typeof threadsShape> = await sendGraphql(source.client, {
      ...source,
      document: THREADS_QUERY,
      variables: { ...variables, cursor },
      shape: threadsShape,
      what: 'the review threads',
    });
    const { nodes, pageInfo } = page.repository.pullRequest.reviewThreads;
    for (const found of nodes) {
      if (found === null) continue;
      const ofThread = await allComments(source, found);
      const thread = threadOf(found, ofThread);
      if (!thread) continue;
      comments += thread.comments.length;
      if (threads.length === MAX_THREADS || comments > MAX_COMMENTS) return { threads, truncated: true };
      threads.push(thread);
    }
    if (!pageInfo.hasNextPage || pageInfo.endCursor === cursor) return { threads, truncated: false };
    cursor = pageInfo.endCursor;
  }
}

async function allComments(source: ThreadSource, found: FoundThread): Promise<FoundComment[]> {
  const comments = found.comments.nodes.filter((node) => node !== null);
  let { pageInfo } = found.comments;
  while (pageInfo.hasNextPage && comments.length < MAX_COMMENTS) {
    const cursor = pageInfo.endCursor;
    const { node } = await sendGraphql(source.client, {
      ...source,
      document: MORE_COMMENTS_QUERY,
      variables: { thread: found.id, cursor },
      shape: moreCommentsShape,
      what: 'the comments of a thread',
    });
    if (node === null || node.comments.pageInfo.endCursor === cursor) break;
    comments.push(...node.comments.nodes.filter((one) => one !== null));
    ({ pageInfo } = node.comments);
  }
  return comments;
}

function threadOf(found: FoundThread, comments: FoundComment[]): Thread | undefined {
  const submitted = comments.filter(({ state }) => state !== 'PENDING');
  const [first] = submitted;
  if (!first) return undefined;
  return {
    id: found.id,
    file: found.path,
    side: found.diffSide === 'LEFT' ? 'old' : 'new',
    ...linesOf(found),
    commit: first.originalCommit?.oid ?? null,
    resolved: found.isResolved,
    resolvedBy: found.resolvedBy && actorOf(found.resolvedBy),
    resolvedAt: null,
    comments: submitted.map(commentOf),
  };
}

/** Lines at the commit that was commented on; GitHub moves `line` with later pushes. */
function linesOf(found: FoundThread): { startLine: number; endLine: number } {
  const { diffSide, originalLine, originalStartLine, startDiffSide, subjectType } = found;
  const endLine = originalLine ?? found.line;
  if (subjectType === 'FILE' || endLine === null) return { startLine: 0, endLine: 0 };
  // A range from removed to added lines has no common numbers: its end is kept.
  const oneSide = startDiffSide === null || startDiffSide === diffSide;
  const startLine = oneSide ? (originalStartLine ?? endLine) : endLine;
  return { startLine: Math.min(startLine, endLine), endLine };
}

function commentOf(found: FoundComment): Comment {
  return {
    kind: 'thread',
    id: found.fullDatabaseId,
    author: found.author && actorOf(found.author),
    body: found.body,
    createdAt: found.createdAt,
    updatedAt: found.updatedAt,
    url: found.url,
    thumbsDown: (found.reactions.nodes ?? []).flatMap((reaction) =>
      reaction?.user ? actorOf({ __typename: 'User', ...reaction.user }) : [],
    ),
  };
}

/** REST calls a bot `name[bot]`, GraphQL `name`. */
function actorOf(actor: z.output<typeof actorShape>): Account {
  const bot = actor.__typename === 'Bot';
  return {
    id: actor.databaseId === undefined || actor.databaseId === null ? actor.login : String(actor.databaseId),
    login: bot && !actor.login.endsWith('[bot]') ? `${actor.login}[bot]` : actor.login,
    name: actor.name ?? null,
    bot,
  };
}
