/** POST /api/v2/pull-requests/:pullRequestId/pending-comments: writes a comment for the caller's review. */
import type { z } from 'zod';
import { type Context, defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { findPullRequest, withPullRequest } from '../../pull-requests/index.ts';
import type { DiscussionRow } from '../discussion-store.ts';
import { findDiscussion } from '../find-discussion.ts';
import { readPlace } from '../read-place.ts';
import { announcePending } from './announce-pending.ts';
import { AddPendingCommentInput, MAX_PENDING_COMMENTS, PendingComment } from './pending-contract.ts';
import {
  insertPendingComment,
  type NewPendingComment,
  type PendingRow,
  selectPendingComments,
} from './pending-store.ts';
import { findPlaces, pendingReviewOf, presentPendingComment } from './read-pending.ts';

type Place = Omit<NewPendingComment, 'id' | 'body' | 'at'>;

export const addPendingComment = defineOperation({
  name: 'add-pending-comment',
  group: 'Reviews',
  summary: 'Add a comment to your pending review',
  description: `On lines of a file, on a whole file, or as a reply to a discussion. Only you see it until you submit your review. The same text at the same place is added only once. At most ${MAX_PENDING_COMMENTS} can be pending on a pull request.`,
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/pending-comments', status: 201 },
  accepts: ['session'],
  role: 'member',
  input: AddPendingCommentInput,
  output: PendingComment,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const seen = await findPullRequest(context, input.pullRequestId);
    const place = input.discussionId === undefined ? await readNewPlace(context, seen, input) : undefined;
    const body = await maskText(input.body);
    const review = pendingReviewOf(context, seen.id);
    const row = await withPullRequest(context, seen.id, async (change): Promise<PendingRow> => {
      const { at, db } = change;
      const where = place ?? placeOf(await findDiscussion(change, input.discussionId!));
      const pending = await selectPendingComments(db, review);
      const same = pending.find((each) => each.body === body && isSamePlace(each, where));
      if (same) return same;
      if (pending.length >= MAX_PENDING_COMMENTS)
        throw new Problem(
          'conflict',
          `You have ${MAX_PENDING_COMMENTS} pending comments on this pull request. Submit your review first.`,
        );
      const id = uuidv7();
      await insertPendingComment(db, review, { ...where, id, body, at });
      const [added] = await selectPendingComments(db, review, { ids: [id] });
      return added!;
    });
    announcePending(context, seen.id);
    const places = await findPlaces(context, seen, [row]);
    return presentPendingComment(row, places.get(row.id), seen.head_commit);
  },
});

async function readNewPlace(
  context: Context,
  pullRequest: Awaited<ReturnType<typeof findPullRequest>>,
  { commit, endLine, file, side, startLine }: z.output<typeof AddPendingCommentInput>,
): Promise<Place> {
  if (file === undefined || startLine === undefined) {
    const message = 'is required unless you reply to a discussion';
    throw invalidRequest([
      ...(file === undefined ? [{ path: 'file', message }] : []),
      ...(startLine === undefined ? [{ path: 'startLine', message }] : []),
    ]);
  }
  const place = await readPlace(context, pullRequest, { commit, endLine, file, side, startLine });
  return { ...place, discussionId: null };
}

/** Kept for the case that the discussion is deleted before the review is submitted. */
function placeOf(discussion: DiscussionRow): Place {
  return {
    discussionId: discussion.id,
    file: discussion.file,
    side: discussion.side,
    startLine: discussion.start_line,
    endLine: discussion.end_line,
    commit: discussion.commit,
    commentedCode: discussion.commented_code,
  };
}

function isSamePlace(row: PendingRow, place: Place): boolean {
  if (place.discussionId !== null) return row.discussion_id === place.discussionId;
  return (
    row.discussion_id === null &&
    row.file === place.file &&
    row.side === place.side &&
    row.start_line === place.startLine &&
    row.end_line === place.endLine &&
    row.commit === place.commit
  );
}
