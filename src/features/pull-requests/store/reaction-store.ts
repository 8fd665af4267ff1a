/** Queries for reactions to comments. */
import { sql } from 'kysely';
import type { Actor } from '../../../platform/core/operations/actor.ts';
import type { Db } from '../../../platform/db/index.ts';
import { MAX_REACTION_NAMES, type Reaction } from '../contract.ts';

type Person = Pick<Actor, 'organizationId' | 'userId'>;
interface OneReaction {
  commentId: string;
  reaction: Reaction;
}

/** Reacting again has no effect. */
export async function insertReaction(
  db: Db,
  { organizationId, userId }: Person,
  { at, commentId, reaction }: OneReaction & { at: Date },
): Promise<void> {
  await db
    .insertInto('comment_reactions')
    .values({
      comment_id: commentId,
      reaction,
      user_id: userId,
      organization_id: organizationId,
      created_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteReaction(
  db: Db,
  { userId }: Pick<Person, 'userId'>,
  { commentId, reaction }: OneReaction,
): Promise<void> {
  await db
    .deleteFrom('comment_reactions')
    .where('comment_id', '=', commentId)
    .where('reaction', '=', reaction)
    .where('user_id', '=', userId)
    .execute();
}

export interface ReactionRow {
  comment_id: string;
  reaction: Reaction;
  count: number;
  people: string[];
  mine: boolean;
}

/** By comment, and as this person sees them. */
export async function selectReactions(
  db: Db,
  { userId }: Pick<Person, 'userId'>,
  commentIds: string[],
): Promise<Map<string, ReactionRow[]>> {
  if (commentIds.length === 0) return new Map();
  const { rows } = await sql<ReactionRow>`
    SELECT r.comment_id, r.reaction, count(*)::int AS count, bool_or(r.user_id = ${userId}::uuid) AS mine,
      (array_agg(u.name ORDER BY r.created_at, u.id))[1:${sql.lit(MAX_REACTION_NAMES)}] AS people
    FROM comment_reactions r JOIN users u ON u.id = r.user_id
    WHERE r.comment_id = ANY(${commentIds}::uuid[])
    GROUP BY r.comment_id, r.reaction`.execute(db);
  return Map.groupBy(rows, (row) => row.comment_id);
}
