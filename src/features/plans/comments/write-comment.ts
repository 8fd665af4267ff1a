/** Groups concurrent comments on the same plan into one write, with one lock and one commit. */
import { GroupedWrites } from '../../../platform/core/work/grouped-writes.ts';
import { type Db, isOutage } from '../../../platform/db/index.ts';
import { insertComments, type NewComment } from '../store/comment-store.ts';

/** A few megabytes if all comments have the maximum length. */
const MAX_AT_ONCE = 100;

/** One per connection pool. */
const writes = new WeakMap<Db, GroupedWrites<NewComment, string | undefined>>();

/** The plan's ID; undefined if the plan, version or parent comment is not valid. */
export async function writeComment(db: Db, comment: NewComment): Promise<string | undefined> {
  // Inside a transaction, the comment is written in that transaction.
  if (db.isTransaction) return (await insertComments(db, [comment]))[0];
  let grouped = writes.get(db);
  if (!grouped) {
    grouped = new GroupedWrites((comments) => insertComments(db, comments), {
      maxAtOnce: MAX_AT_ONCE,
      affectsAll: isOutage,
    });
    writes.set(db, grouped);
  }
  return grouped.add(`${comment.organizationId} ${comment.seriesId}`, comment);
}
