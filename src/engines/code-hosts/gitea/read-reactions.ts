/** Who reacted with 👎 to comments. Gitea needs a request for each comment, so callers name only those that matter. */
import { z } from 'zod';
import type { HostClient } from '../host-client.ts';
import { isHostError } from '../host-error.ts';
import { MAX_COMMENTS_WITH_REACTIONS, MAX_REACTIONS } from '../limits.ts';
import type { Account, Comment } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { authorOf } from './read.ts';
import { reactionShape } from './shapes.ts';

const AT_ONCE = 4;

/** Fills in `thumbsDown`, only for the newest comments if there are too many. */
export async function addReactions(
  client: HostClient,
  repositoryPath: string,
  comments: Comment[],
): Promise<void> {
  const asked = comments.slice(-MAX_COMMENTS_WITH_REACTIONS);
  for (let from = 0; from < asked.length; from += AT_ONCE)
    await Promise.all(
      asked.slice(from, from + AT_ONCE).map(async (comment) => {
        comment.thumbsDown = await readThumbsDown(client, repositoryPath, comment.id);
      }),
    );
}

async function readThumbsDown(client: HostClient, repositoryPath: string, id: string): Promise<Account[]> {
  try {
    const { json } = await client({
      path: `${repositoryPath}/issues/comments/${encodeURIComponent(id)}/reactions`,
    });
    const reactions = readReply(z.array(reactionShape), json ?? [], 'the reactions');
    return reactions
      .flatMap(({ content, user }) => (content === '-1' ? (authorOf(user) ?? []) : []))
      .slice(0, MAX_REACTIONS);
  } catch (error) {
    // Deleted in the meantime.
    if (isHostError(error, 'not_found')) return [];
    throw error;
  }
}
