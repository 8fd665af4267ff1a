/** Refuses an edit of a comment that was made from an older text. */
import { Problem } from '../../../platform/core/errors/errors.ts';

export function refuseOtherText(text: string, expected: string | undefined): void {
  if (expected !== undefined && expected !== text)
    throw new Problem('conflict', 'The comment was changed at the same time. Nothing was saved.');
}
