/** The new comment that is being written on a plan, and what it is about. */
import { hasDraft, keepDraft, readDraft } from '../../../components/drafts.ts';
import type { SourceRange } from '../../../markdown/index.ts';

/** A range in a version, or the whole plan. */
export interface NewComment {
  version: number;
  place?: SourceRange;
}

const placeDraft = (seriesId: string) => `${seriesId}:place`;
export const newCommentDraft = (seriesId: string) => `${seriesId}:new`;

export function readNewComment(seriesId: string): NewComment | undefined {
  const written = readDraft(placeDraft(seriesId));
  return written && hasDraft(newCommentDraft(seriesId)) ? (JSON.parse(written) as NewComment) : undefined;
}

export function keepNewComment(seriesId: string, comment: NewComment | undefined): void {
  keepDraft(placeDraft(seriesId), comment && JSON.stringify(comment));
}
