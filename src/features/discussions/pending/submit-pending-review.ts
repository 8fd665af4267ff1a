/** POST /api/v2/pull-requests/:pullRequestId/pending-comments/submission: submits the caller's review, with its comments. */
import { type Context, defineOperation } from '../../../context.ts';
import type { PortedPlace } from '../../../engines/positions/index.ts';
import { maskText } from '../../../engines/review/index.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import {
  findPullRequest,
  insertComment,
  isRecheck,
  PullRequest,
  type PullRequestChange,
  recordReview,
  requestRecheck,
} from '../../pull-requests/index.ts';
import { addDiscussion } from '../add-discussion.ts';
import { touchDiscussion } from '../discussion-store.ts';
import { announcePending } from './announce-pending.ts';
import { SubmitPendingReviewInput } from './pending-contract.ts';
import { deletePendingComments, type PendingRow, selectPendingComments } from './pending-store.ts';
import { findPlaces, pendingReviewOf } from './read-pending.ts';

export const submitPendingReview = defineOperation({
  name: 'submit-pending-review',
  group: 'Reviews',
  summary: 'Submit your pending review',
  description:
    'The comments become discussions and replies together with the verdict: others are notified once, and a code host shows one review. Everything else is as for reviews without comments.',
  http: {
    method: 'POST',
    path: '/api/v2/pull-requests/:pullRequestId/pending-comments/submission',
    status: 200,
  },
  accepts: ['session'],
  role: 'member',
  input: SubmitPendingReviewInput,
  output: PullRequest,
  problems: ['forbidden', 'not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const { commit, earlierHead = false, note: sentNote, pullRequestId, verdict } = input;
    const note = sentNote?.trim() ? await maskText(sentNote) : null;
    if (earlierHead && verdict === 'approved')
      throw invalidRequest([{ path: 'earlierHead', message: 'is not possible for an approval' }]);
    const ids = [...new Set(input.commentIds)];
    const found = await findPullRequest(context, pullRequestId);
    const review = pendingReviewOf(context, found.id);
    // Before the lock, because git is asked.
    const places = await findPlaces(context, found, await selectPendingComments(context.db, review, { ids }));
    const given = { pullRequestId: found.id, verdict, note, commit, earlierHead };
    const pullRequest = await recordReview(context, given, async (change, verdictId) => {
      const rows = await selectPendingComments(change.db, review, { ids });
      if (rows.length < ids.length) throw alreadyGone(ids.length - rows.length);
      await deletePendingComments(change.db, review, ids);
      const isSameHead = change.pullRequest.head_commit === found.head_commit;
      return publish(context, change, verdictId, { rows, places: isSameHead ? places : new Map() });
    });
    announcePending(context, found.id);
    return pullRequest;
  },
});

/** By a double click, or on another device. */
function alreadyGone(count: number): Problem {
  const which = count === 1 ? 'One of these comments was' : `${count} of these comments were`;
  return new Problem('conflict', `${which} submitted or deleted meanwhile. Nothing was submitted now.`);
}

async function publish(
  { actor }: Context,
  change: PullRequestChange,
  verdictId: string,
  { places, rows }: { rows: PendingRow[]; places: Map<string, PortedPlace> },
): Promise<Record<string, unknown>> {
  const { at, db, pullRequest } = change;
  const author = { kind: 'person', userId: actor.userId, accountId: null, name: actor.userName } as const;
  const [commentIds, discussionIds]: [string[], string[]] = [[], []];
  for (const row of rows) {
    const { body } = row;
    if (row.discussion_id === null) {
      const place = placeNow(row, places.get(row.id), pullRequest.head_commit);
      const added = await addDiscussion(change, { ...place, author, body, verdictId });
      discussionIds.push(added.id);
      commentIds.push(added.commentId);
      continue;
    }
    const id = uuidv7();
    await insertComment(db, {
      ...{ id, organizationId: pullRequest.organization_id, pullRequestId: pullRequest.id },
      ...{ discussionId: row.discussion_id, hostCommentId: null, author, body, fixedIn: null, url: null, at },
      sending: pullRequest.origin === 'host' ? 'waiting' : 'none',
      verdictId,
    });
    await touchDiscussion(db, row.discussion_id, at);
    change.set({ comment_count: change.pullRequest.comment_count + 1 });
    commentIds.push(id);
    if (isRecheck(body)) requestRecheck(change, actor.userId);
  }
  return { commentIds, discussionIds };
}

/** Lines that only moved within their file are those of the newest head; otherwise the comment shows the code that it was written on. */
function placeNow(row: PendingRow, place: PortedPlace | undefined, head: string | null) {
  const kept = { side: row.side, commentedCode: row.commented_code };
  if (row.side === 'new' && place?.outcome === 'exact' && head !== null)
    return { ...kept, commit: head, file: place.file, startLine: place.startLine, endLine: place.endLine };
  return {
    ...{ ...kept, commit: row.commit, file: row.file },
    ...{ startLine: row.start_line, endLine: row.end_line },
  };
}
