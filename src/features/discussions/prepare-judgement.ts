/** Loads what the judge needs to know of discussions: their comments, and where each is followed from. */
import type { Db } from '../../platform/db/index.ts';
import { selectHeads } from '../pull-requests/index.ts';
import { type DiscussionRow, selectComments } from './discussion-store.ts';
import { followFrom } from './follow-from.ts';
import type { DiscussionToJudge } from './judge-discussions.ts';
import { selectPlacesAt } from './judgement-store.ts';

/** Older heads count as the oldest of these. */
const MAX_HEADS = 1000;

/** Discussions without a known commit are left out. */
export async function prepareJudgement(
  db: Db,
  pullRequestId: string,
  discussions: readonly DiscussionRow[],
): Promise<DiscussionToJudge[]> {
  const comments = await selectComments(
    db,
    discussions.map(({ id }) => id),
  );
  const heads = await selectHeads(db, pullRequestId, MAX_HEADS);
  const followed = discussions.map((discussion) => ({
    discussion,
    comments: comments.get(discussion.id) ?? [],
    ...followFrom(discussion, comments.get(discussion.id) ?? [], heads),
  }));
  const later = await selectPlacesAt(
    db,
    pullRequestId,
    followed.flatMap(({ discussion, position }) =>
      position === null ? [] : [{ discussionId: discussion.id, position }],
    ),
  );
  return followed.flatMap(({ after, discussion, comments: thread }) => {
    const commented = commentedPlace(discussion);
    if (!commented) return [];
    const base = later.get(discussion.id) ?? commented;
    return [{ discussion, comments: thread, commented, base, after, judge: canChange(discussion) }];
  });
}

function commentedPlace(row: DiscussionRow): DiscussionToJudge['commented'] | null {
  const { commit, end_line: endLine, file, start_line: startLine } = row;
  return commit === null ? null : { commit, file, startLine, endLine };
}

/** Discussions that a person resolved or dismissed are not judged. */
function canChange({ status, status_cause: cause }: DiscussionRow): boolean {
  return status !== 'resolved' || cause === 'switch';
}
