/** Groups concurrent comments on the same plan into one write, with one lock and one commit. */
import { GroupedWrites } from '../../../platform/core/work/grouped-writes.ts';
import { type Db, isOutage } from '../../../platform/db/index.ts';
import { insertComments, type NewComment } from '../store/comment-store.ts';

/** A few megabytes if all comments have the maximum length. */
const MAX_AT_ONCE = 100;

export interface CommentWriter {
  /** The plan's ID; undefined if the plan, version or parent comment is not valid. */
  write(comment: NewComment): Promise<string | undefined>;
}

export function createCommentWriter({ db }: { db: Db }): CommentWriter {
  const writes = new GroupedWrites<NewComment, string | undefined>(
    (comments) => insertComments(db, comments),
    {
      maxAtOnce: MAX_AT_ONCE,
      affectsAll: isOutage,
    },
  );
  return { write: (comment) => writes.add(`${comment.organizationId} ${comment.seriesId}`, comment) };
}
