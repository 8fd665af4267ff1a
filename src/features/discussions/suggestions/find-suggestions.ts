/** The suggestions that a person chose, where their lines are at the newest head. */
import { readSuggestions } from '../../../engines/text/index.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import type { Db } from '../../../platform/db/index.ts';
import {
  type CommentRow,
  type DiscussionRow,
  selectComments,
  selectDiscussions,
} from '../discussion-store.ts';

export interface ChosenSuggestion {
  /** Names it in problems. */
  id: string;
  discussion: DiscussionRow;
  comment: CommentRow;
  index: number;
  lines: string[];
}

export async function findSuggestions(
  db: Db,
  pullRequest: { id: string; head_commit: string | null },
  chosen: { commentId: string; index?: number | undefined; text?: string | undefined }[],
): Promise<ChosenSuggestion[]> {
  const discussions = await selectDiscussions(db, pullRequest);
  const comments = await selectComments(
    db,
    discussions.map(({ id }) => id),
  );
  const byComment = new Map(
    discussions.flatMap((discussion) =>
      (comments.get(discussion.id) ?? []).map((comment) => [comment.id, { discussion, comment }] as const),
    ),
  );
  return chosen.map(({ commentId, index = 0, text }) => {
    const found = byComment.get(commentId);
    const lines = found && readSuggestions(found.comment.body)[index]?.lines;
    if (!found || !lines) throw notFound('The suggestion');
    const id = nameOf(found.discussion);
    if (text !== undefined && text !== lines.join('\n'))
      throw new Problem('conflict', `The suggestion at ${id} was edited. Look at it again.`);
    return { ...found, index, lines, id };
  });
}

function nameOf({ end_line, file, start_line }: DiscussionRow): string {
  return start_line === end_line ? `${file}:${start_line}` : `${file}:${start_line}-${end_line}`;
}

/** Only for lines whose place at the newest head is known, and that are still there as they were. */
export function placeOf({ discussion, id }: ChosenSuggestion, head: string) {
  const { commit, position_commit, position_outcome, side, start_line } = discussion;
  if (side === 'old' || start_line === 0 || commit === null)
    throw new Problem('conflict', `The suggestion at ${id} is not about lines of the new version.`);
  if (commit !== head && position_commit === null)
    throw new Problem(
      'conflict',
      'The lines are still being followed to the newest commit. Try again in a moment.',
    );
  if (position_commit !== null && position_outcome !== 'exact' && position_outcome !== 'moved')
    throw outdated([id]);
  return position_commit === null
    ? { file: discussion.file, startLine: start_line, endLine: discussion.end_line, commit }
    : {
        file: discussion.position_file!,
        startLine: discussion.position_start_line!,
        endLine: discussion.position_end_line!,
        commit,
      };
}

export function outdated(ids: string[]): Problem {
  return new Problem(
    'conflict',
    `Outdated: the code changed after the suggestion at ${ids.join(', ')}. Nothing was applied.`,
  );
}
