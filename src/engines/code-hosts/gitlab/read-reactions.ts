/**
 * Who reacted with 👎 to notes of a merge request. REST needs a request for each note, GraphQL one for 100 of them. Servers before 16.0
 * don't report reactions there, so they count as none.
 */
import { z } from 'zod';
import type { HostClient } from '../host-client.ts';
import { isHostError } from '../host-error.ts';
import { MAX_REACTION_PAGES } from '../limits.ts';
import type { Account, Comment, PullRequestRef, Thread } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { authorOf } from './read.ts';

const QUERY = `query Reactions($project: ID!, $number: String!, $cursor: String) {
  project(fullPath: $project) {
    mergeRequest(iid: $number) {
      notes(first: 100, after: $cursor) {
        pageInfo { hasNextPage endCursor }
        nodes { id awardEmoji { nodes { name user { id username name } } } }
      }
    }
  }
}`;

/** `gid://gitlab/DiffNote/1` */
const numberShape = z
  .string()
  .regex(/\/\d+$/)
  .transform((id) => id.slice(id.lastIndexOf('/') + 1));

const notesShape = z.object({
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  nodes: z.array(
    z.object({
      id: numberShape,
      awardEmoji: z
        .object({
          nodes: z.array(
            z.object({
              name: z.string(),
              user: z
                .object({ id: numberShape, username: z.string(), name: z.string().nullish() })
                .nullable(),
            }),
          ),
        })
        .nullable(),
    }),
  ),
});

/** `data` is null, with errors beside it, if the server doesn't know a field. */
const replyShape = z.object({
  data: z
    .object({
      project: z.object({ mergeRequest: z.object({ notes: notesShape }).nullable() }).nullable(),
    })
    .nullish(),
});

/** Fills in `thumbsDown` of the comments that are asked about. */
export async function addReactions(
  client: HostClient,
  { number, repository }: PullRequestRef,
  threads: Thread[],
  isNeeded: (comment: Comment) => boolean,
): Promise<void> {
  const needed = new Map(
    threads.flatMap(({ comments }) => comments.filter(isNeeded).map((comment) => [comment.id, comment])),
  );
  let cursor: string | null = null;
  for (let page = 0; needed.size > 0 && page < MAX_REACTION_PAGES; page += 1) {
    const notes = await readNotes(client, { project: repository, number: String(number), cursor });
    for (const { awardEmoji, id } of notes?.nodes ?? []) {
      const comment = needed.get(id);
      if (!comment) continue;
      comment.thumbsDown = (awardEmoji?.nodes ?? []).flatMap(({ name, user }) =>
        name === 'thumbsdown' ? (accountOf(user) ?? []) : [],
      );
      needed.delete(id);
    }
    if (!notes?.pageInfo.hasNextPage) return;
    cursor = notes.pageInfo.endCursor;
  }
}

async function readNotes(client: HostClient, variables: Record<string, string | null>) {
  try {
    const { json } = await client({
      ...{ method: 'POST', path: '/api/graphql', repeatable: true },
      body: { query: QUERY, variables },
    });
    return readReply(replyShape, json, 'the reactions').data?.project?.mergeRequest?.notes;
  } catch (error) {
    // Without GraphQL there are no reactions; everything else works.
    if (isHostError(error, 'not_found', 'forbidden')) return undefined;
    throw error;
  }
}

function accountOf(user: { id: string; username: string; name?: string | null } | null): Account | null {
  return user && authorOf({ ...user, id: Number(user.id) });
}
