/** Turns a comment row into its API shape. */
import type { z } from 'zod';
import type { PlanComment } from '../contract.ts';
import type { CommentRow } from '../store/comment-store.ts';

export function presentComment(
  row: Omit<CommentRow, 'thread_id' | 'author_id' | 'author_kind' | 'edited_at'>,
): z.input<typeof PlanComment> {
  return {
    id: row.id,
    versionId: row.version_id,
    parentId: row.parent_id,
    body: row.body,
    authorName: row.author_name,
    anchor: row.anchor,
    triageState: row.triage_state,
    createdAt: row.created_at.toISOString(),
  };
}
