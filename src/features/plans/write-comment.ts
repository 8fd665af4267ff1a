/** Writes a comment together with those that come for the same plan at the same time: one lock and one commit for all. */
import { GroupedWrites } from '../../platform/core/grouped-writes.ts';
import { type Db, isOutage } from '../../platform/db/index.ts';
import { insertComments, type NewComment } from './comment-store.ts';

/** Of the longest comments, this many are some megabytes. */
const MAX_AT_ONCE = 100;

/** One for each pool of connections. */
const writes = new WeakMap<Db, GroupedWrites<NewComment, string | undefined>>();

/** The plan's id; undefined when the plan, the version or the parent is not what it must be. */
export async function writeComment(db: Db, comment: NewComment): Promise<string | undefined> {
  // Inside someone's transaction it is written there.
  if (db.isTransaction) return (await insertComments(db, [comment]))[0];
  let grouped = writes.get(db);
  if (!grouped) {
    grouped = new GroupedWrites((comments) => insertComments(db, comments), {
      maxAtOnce: MAX_AT_ONCE,
      isEveryones: isOutage,
    });
    writes.set(db, grouped);
  }
  return grouped.add(`${comment.organizationId} ${comment.seriesId}`, comment);
}
