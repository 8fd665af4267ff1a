/** Reads the caller's pending comments, with the places of their lines at the newest head. */
import type { z } from 'zod';
import { type Context, callOf } from '../../../context.ts';
import type { PortedPlace } from '../../../engines/positions/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { FoundPullRequest } from '../../pull-requests/index.ts';
import { judgeDiscussions } from '../judge-discussions.ts';
import type { PendingComment } from './pending-contract.ts';
import { type PendingReview, type PendingRow, selectPendingComments } from './pending-store.ts';

export function pendingReviewOf({ actor }: Pick<Context, 'actor'>, pullRequestId: string): PendingReview {
  return { organizationId: actor.organizationId, pullRequestId, userId: actor.userId };
}

export async function readPendingComments(
  context: Context,
  pullRequest: FoundPullRequest,
): Promise<z.input<typeof PendingComment>[]> {
  const rows = await selectPendingComments(context.db, pendingReviewOf(context, pullRequest.id));
  const places = await findPlaces(context, pullRequest, rows);
  return rows.map((row) => presentPendingComment(row, places.get(row.id), pullRequest.head_commit));
}

/** Where their lines are at the newest head. None while the code can't be read: the comments are shown all the same. */
export async function findPlaces(
  context: Context,
  { head_commit: head, merge_base: old, repository_id: repositoryId }: FoundPullRequest,
  rows: readonly PendingRow[],
): Promise<Map<string, PortedPlace>> {
  const toFollow = rows.flatMap((row) => {
    const { commented_code, commit, end_line: endLine, file, id, side, start_line: startLine } = row;
    if (row.discussion_id !== null || commit === null) return [];
    const commented = { commit, file, startLine, endLine };
    const discussion = { id, side, commented_code };
    return [{ discussion, comments: [], commented, base: commented, after: null, judge: false }];
  });
  if (head === null || toFollow.length === 0) return new Map();
  const source = { code: context.code, state: context.state, repositoryId, call: callOf(context) };
  try {
    const found = await judgeDiscussions(source, toFollow, { new: head, old });
    return new Map([...found].map(([id, { position }]) => [id, position]));
  } catch (error) {
    if (error instanceof Problem) return new Map();
    throw error;
  }
}

export function presentPendingComment(
  row: PendingRow,
  place: PortedPlace | undefined,
  head: string | null,
): z.input<typeof PendingComment> {
  return {
    id: row.id,
    isReply: row.is_reply,
    discussionId: row.discussion_id,
    file: row.file,
    side: row.side,
    startLine: row.start_line,
    endLine: row.end_line,
    commit: row.commit,
    commentedCode: row.commented_code,
    position: place && head !== null ? { commit: head, ...place } : null,
    body: row.body,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
